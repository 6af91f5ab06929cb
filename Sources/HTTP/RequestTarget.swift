/// The four forms of a request target (RFC 9112 §3.2). Ranges count in `RequestHead.targetBytes`.
public enum RequestTarget: Sendable, Hashable {
    /// `/path?query`
    case origin
    /// `http://authority/path?query`; `path` may be empty or begin with `?`.
    case absolute(Scheme, authority: Range<Int>, path: Range<Int>)
    /// `host:port`, of CONNECT.
    case authority
    /// `*`, of OPTIONS.
    case asterisk

    /// Tells the forms apart. `bytes` hold no control, blank or DEL and are not empty.
    ///
    /// An authority is looked at for user information, which is refused everywhere; `Authority(parsing:)` says whether
    /// the rest of it is right.
    init(_ bytes: Span<UInt8>, of method: Method) throws(HTTPError) {
        if method == .connect {
            guard try Self.endOfAuthority(bytes, from: 0) == bytes.count else { throw HTTPError(.malformedAuthority) }
            self = .authority
        } else if bytes[0] == UInt8(ascii: "/") {
            self = .origin
        } else if bytes.count == 1, bytes[0] == UInt8(ascii: "*") {
            guard method == .options else { throw HTTPError(.malformedTarget) }
            self = .asterisk
        } else {
            let (scheme, start) = try Self.scheme(of: bytes)
            let end = try Self.endOfAuthority(bytes, from: start)
            guard end > start else { throw HTTPError(.malformedAuthority) }
            self = .absolute(scheme, authority: start..<end, path: end..<bytes.count)
        }
    }

    private static func scheme(of bytes: Span<UInt8>) throws(HTTPError) -> (Scheme, end: Int) {
        if bytes.count >= 7, bytes.extracting(first: 7).equalsIgnoringCase("http://") { return (.http, 7) }
        if bytes.count >= 8, bytes.extracting(first: 8).equalsIgnoringCase("https://") { return (.https, 8) }
        // scheme ":" (RFC 3986 §3.1), so that `host/path` is told apart from `ftp://host/path`.
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"), in: 0..<bytes.count)
        let hasScheme =
            colon > 0 && colon + 2 < bytes.count && bytes[colon + 1] == UInt8(ascii: "/")
            && bytes[colon + 2] == UInt8(ascii: "/")
        throw HTTPError(hasScheme ? .unsupportedScheme : .malformedTarget)
    }

    private static func endOfAuthority(_ bytes: Span<UInt8>, from start: Int) throws(HTTPError) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "/"), UInt8(ascii: "?"): return index
            case UInt8(ascii: "@"): throw HTTPError(.userinfoInTarget)
            case UInt8(ascii: "#"): throw HTTPError(.fragmentInTarget)
            default: index += 1
            }
        }
        return index
    }
}

/// The request line (RFC 9112 §3): method, target, version, one space between them.
enum StartLine {
    /// Parses the line at `start` of a head that ends at `end`. Returns where the next line begins.
    static func parse(_ bytes: Span<UInt8>, from start: Int, end: Int, into head: inout RequestHead)
        throws(HTTPError) -> Int
    {
        let methodEnd = bytes.end(of: .token, in: start..<end)
        guard bytes[methodEnd] == 0x20, methodEnd > start else {
            throw HTTPError(bytes[methodEnd] == UInt8(ascii: "\r") ? .malformedStartLine : .malformedMethod)
        }
        let targetStart = methodEnd + 1
        let targetEnd = bytes.end(of: .target, in: targetStart..<end)
        guard bytes[targetEnd] == 0x20, targetEnd > targetStart else {
            switch bytes[targetEnd] {
            case UInt8(ascii: "#"): throw HTTPError(.fragmentInTarget)
            case UInt8(ascii: "\r"): throw HTTPError(.malformedStartLine)  // HTTP/0.9, or a line cut short
            default: throw HTTPError(.malformedTarget)
            }
        }
        let lineEnd = bytes.firstIndex(of: UInt8(ascii: "\r"), in: (targetEnd + 1)..<end)
        guard bytes[lineEnd + 1] == UInt8(ascii: "\n") else { throw HTTPError(.controlByte) }
        head.version = try version(bytes.extracting((targetEnd + 1)..<lineEnd))

        let method = bytes.extracting(start..<methodEnd)
        head.method = Method(method)
        head.methodBytes.removeAll(keepingCapacity: true)
        head.methodBytes.append(method)
        let target = bytes.extracting(targetStart..<targetEnd)
        head.target = try form(of: target, head.method)
        head.targetBytes.removeAll(keepingCapacity: true)
        head.targetBytes.append(target)
        return lineEnd + 2
    }

    /// `HTTP/1.0`, `HTTP/1.1`, or a higher minor version, which is treated as 1.1 (RFC 9110 §2.5).
    private static func version(_ bytes: Span<UInt8>) throws(HTTPError) -> HTTPVersion {
        let isVersion =
            bytes.count == 8 && bytes.extracting(0..<5).equals("HTTP/") && ByteKind.of(bytes[5]).contains(.digit)
            && bytes[6] == UInt8(ascii: ".") && ByteKind.of(bytes[7]).contains(.digit)
        guard isVersion else { throw HTTPError(.malformedVersion) }
        guard bytes[5] == UInt8(ascii: "1") else { throw HTTPError(.unsupportedVersion) }
        return bytes[7] == UInt8(ascii: "0") ? .http10 : .http11
    }

    /// RFC 9112 §3.2. `bytes` is not empty.
    private static func form(of bytes: Span<UInt8>, _ method: Method) throws(HTTPError) -> RequestTarget {
        if method == .connect { return .authority }
        if bytes[0] == UInt8(ascii: "/") { return .origin }
        if bytes.count == 1, bytes[0] == UInt8(ascii: "*") {
            guard method == .options else { throw HTTPError(.malformedTarget) }
            return .asterisk
        }
        let scheme: Scheme
        let authorityStart: Int
        if bytes.count >= 7, bytes.extracting(0..<7).equalsIgnoringCase("http://") {
            (scheme, authorityStart) = (.http, 7)
        } else if bytes.count >= 8, bytes.extracting(0..<8).equalsIgnoringCase("https://") {
            (scheme, authorityStart) = (.https, 8)
        } else {
            throw HTTPError(hasScheme(bytes) ? .unsupportedScheme : .malformedTarget)
        }
        var end = authorityStart
        while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
        return .absolute(scheme, authority: authorityStart..<end, path: end..<bytes.count)
    }

    /// `scheme://` at the start (RFC 3986 §3.1).
    private static func hasScheme(_ bytes: Span<UInt8>) -> Bool {
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"), in: 0..<bytes.count)
        guard colon > 0, colon + 2 < bytes.count else { return false }
        return bytes[colon + 1] == UInt8(ascii: "/") && bytes[colon + 2] == UInt8(ascii: "/")
    }
}

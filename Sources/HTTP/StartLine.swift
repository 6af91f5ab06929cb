/// The request line (RFC 9112 §3): method, target, version, one space between them.
enum StartLine {
    static func parse(_ bytes: Span<UInt8>, _ line: Range<Int>, into head: inout RequestHead)
        throws(HTTPError)
    {
        var index = line.lowerBound
        while index < line.upperBound, ByteKind.of(bytes[index]).contains(.token) { index += 1 }
        guard index > line.lowerBound, index < line.upperBound, bytes[index] == 0x20 else {
            throw HTTPError(.malformedMethod)
        }
        let method = bytes.extracting(line.lowerBound..<index)
        head.method = Method(method)
        head.methodBytes.removeAll(keepingCapacity: true)
        head.methodBytes.append(method)

        let targetStart = index + 1
        index = targetStart
        while index < line.upperBound, ByteKind.of(bytes[index]).contains(.target) { index += 1 }
        guard index > targetStart, index < line.upperBound, bytes[index] == 0x20 else {
            throw HTTPError(.malformedTarget)
        }
        head.targetBytes.removeAll(keepingCapacity: true)
        head.targetBytes.append(bytes.extracting(targetStart..<index))
        head.version = try version(bytes.extracting((index + 1)..<line.upperBound))
        head.target = try target(head.targetBytes.span, head.method)
    }

    /// `HTTP/1.0`, `HTTP/1.1`, or a higher minor version, which is treated as 1.1 (RFC 9110 §2.5).
    private static func version(_ bytes: Span<UInt8>) throws(HTTPError) -> HTTPVersion {
        let isVersion =
            bytes.count == 8 && bytes.extracting(0..<5).equals("HTTP/")
            && ByteKind.of(bytes[5]).contains(.digit)
            && bytes[6] == UInt8(ascii: ".") && ByteKind.of(bytes[7]).contains(.digit)
        guard isVersion else { throw HTTPError(.malformedVersion) }
        guard bytes[5] == UInt8(ascii: "1") else { throw HTTPError(.unsupportedVersion) }
        return bytes[7] == UInt8(ascii: "0") ? .http10 : .http11
    }

    private static func target(_ bytes: Span<UInt8>, _ method: Method) throws(HTTPError)
        -> RequestTarget
    {
        for index in 0..<bytes.count where bytes[index] == UInt8(ascii: "#") {
            throw HTTPError(.fragmentInTarget)
        }
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
        while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") {
            end += 1
        }
        return .absolute(scheme, authority: authorityStart..<end, path: end..<bytes.count)
    }

    /// `scheme:` at the start (RFC 3986 §3.1).
    private static func hasScheme(_ bytes: Span<UInt8>) -> Bool {
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"), in: 0..<bytes.count)
        guard colon > 0, colon + 2 < bytes.count else { return false }
        return bytes[colon + 1] == UInt8(ascii: "/") && bytes[colon + 2] == UInt8(ascii: "/")
    }
}

/// The request line (RFC 9112 §3): method, target, version, one space between them.
enum StartLine {
    /// `line` of `bytes` is known to hold no control.
    static func parse(_ bytes: Span<UInt8>, _ line: Range<Int>, into head: inout RequestHead) throws(HTTPError) {
        var index = line.lowerBound
        while index < line.upperBound, ByteKind.of(bytes[index]).contains(.token) { index += 1 }
        guard index > line.lowerBound else { throw HTTPError(.malformedMethod) }
        guard index < line.upperBound else { throw HTTPError(.malformedStartLine) }
        guard bytes[index] == 0x20 else { throw HTTPError(.malformedMethod) }
        let method = bytes.extracting(line.lowerBound..<index)
        head.method = Method(method)
        head.methodBytes.append(method)

        let targetStart = index + 1
        index = targetStart
        while index < line.upperBound, ByteKind.of(bytes[index]).contains(.target) { index += 1 }
        guard index > targetStart else { throw HTTPError(.malformedTarget) }
        guard index < line.upperBound else { throw HTTPError(.malformedStartLine) }  // HTTP/0.9 looks like this
        guard bytes[index] == 0x20 else { throw HTTPError(.malformedTarget) }
        let target = bytes.extracting(targetStart..<index)
        head.version = try version(bytes.extracting((index + 1)..<line.upperBound))
        head.target = try RequestTarget(target, of: head.method)
        head.targetBytes.append(target)
    }

    /// `HTTP/1.0`, `HTTP/1.1`, or a higher minor version, which is treated as 1.1 (RFC 9110 §2.5).
    private static func version(_ bytes: Span<UInt8>) throws(HTTPError) -> HTTPVersion {
        let isVersion =
            bytes.count == 8 && bytes.extracting(first: 5).equals("HTTP/") && isDigit(bytes[5])
            && bytes[6] == UInt8(ascii: ".") && isDigit(bytes[7])
        guard isVersion else { throw HTTPError(.malformedVersion) }
        guard bytes[5] == UInt8(ascii: "1") else { throw HTTPError(.unsupportedVersion) }
        return bytes[7] == UInt8(ascii: "0") ? .http10 : .http11
    }
}

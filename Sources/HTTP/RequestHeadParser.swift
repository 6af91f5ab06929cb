/// Bounds of a head.
public struct HeadLimits: Sendable, Hashable {
    /// From the first byte of the start line to the last of the empty line.
    public var headBytes: Int
    public var headFields: Int

    public init(headBytes: Int = 65_536, headFields: Int = 200) {
        self.headBytes = headBytes
        self.headFields = headFields
    }
}

/// Finds and parses one request head in the bytes that have come so far (RFC 9112 §2, §3, §5).
///
/// Looks for the head's end first, remembering how far it looked, then parses in one scan: the result does not depend
/// on how the bytes were cut. Up to two empty lines before the request line are skipped (§2.2).
public struct RequestHeadParser: Sendable {
    private let limits: HeadLimits
    private var scanned = 0
    private var lineStart = 0
    private var start = 0
    private static let skippedLines = 2

    public init(limits: HeadLimits) { self.limits = limits }

    /// Makes ready for the next head.
    public mutating func reset() { (scanned, lineStart, start) = (0, 0, 0) }

    /// `bytes` are all bytes received since the last head, `head` is overwritten.
    ///
    /// Returns how many bytes the head takes, or nil when it is not whole. After an error the parser must be reset.
    public mutating func parse(_ bytes: Span<UInt8>, into head: inout RequestHead) throws(HTTPError)
        -> Int?
    {
        guard let end = try findEnd(bytes) else { return nil }
        try parseHead(bytes, end: end, into: &head)
        return end
    }

    private mutating func findEnd(_ bytes: Span<UInt8>) throws(HTTPError) -> Int? {
        while scanned < bytes.count {
            if scanned - start >= limits.headBytes { throw HTTPError(.headTooLarge) }
            let byte = bytes[scanned]
            scanned += 1
            guard byte == UInt8(ascii: "\n") else { continue }
            let lineEnd = scanned - 2
            guard lineEnd >= lineStart, bytes[lineEnd] == UInt8(ascii: "\r") else {
                throw HTTPError(.bareLineFeed)
            }
            let isEmpty = lineEnd == lineStart
            let isFirst = lineStart == start
            lineStart = scanned
            guard isEmpty else { continue }
            if !isFirst { return scanned }
            guard start < 2 * Self.skippedLines else { throw HTTPError(.malformedStartLine) }
            start = scanned
        }
        return nil
    }

    private func parseHead(_ bytes: Span<UInt8>, end: Int, into head: inout RequestHead)
        throws(HTTPError)
    {
        let startLineEnd = bytes.firstIndex(of: UInt8(ascii: "\r"), in: start..<end)
        guard bytes[startLineEnd + 1] == UInt8(ascii: "\n") else { throw HTTPError(.controlByte) }
        try StartLine.parse(bytes, start..<startLineEnd, into: &head)
        head.fields.removeAll()
        var line = startLineEnd + 2
        while line < end - 2 {
            let lineEnd = bytes.firstIndex(of: UInt8(ascii: "\r"), in: line..<end)
            guard bytes[lineEnd + 1] == UInt8(ascii: "\n") else { throw HTTPError(.controlByte) }
            guard head.fields.count < limits.headFields else { throw HTTPError(.tooManyFields) }
            try FieldLine.parse(line..<lineEnd, of: bytes, into: &head.fields)
            line = lineEnd + 2
        }
        try RequestRules.apply(to: &head)
    }
}

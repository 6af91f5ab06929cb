/// Bounds of a head.
public struct HeadLimits: Sendable, Hashable {
    /// From the first byte of the start line to the last of the empty line; at most 2³¹ − 1.
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

    public init(limits: HeadLimits) {
        self.limits = HeadLimits(
            headBytes: min(max(limits.headBytes, 0), Int(Int32.max)), headFields: limits.headFields)
    }

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
        while true {
            if scanned == start, start < bytes.count { try checkFirst(bytes[start]) }
            let limit = start + limits.headBytes
            let lineFeed = bytes.firstIndex(of: UInt8(ascii: "\n"), in: scanned..<min(limit, bytes.count))
            guard lineFeed < min(limit, bytes.count) else {
                if lineFeed == limit { throw HTTPError(.headTooLarge) }
                scanned = lineFeed
                return nil
            }
            scanned = lineFeed + 1
            guard lineFeed > lineStart, bytes[lineFeed - 1] == UInt8(ascii: "\r") else {
                throw HTTPError(.bareLineFeed)
            }
            let isEmpty = lineFeed - 1 == lineStart
            let isFirst = lineStart == start
            lineStart = scanned
            guard isEmpty else { continue }
            if !isFirst { return scanned }
            guard start < 2 * Self.skippedLines else { throw HTTPError(.malformedStartLine) }
            start = scanned
        }
    }

    /// Whoever begins with what begins no request, such as a TLS hello, is told at once.
    private func checkFirst(_ byte: UInt8) throws(HTTPError) {
        let mayBegin =
            ByteKind.of(byte).contains(.token) || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
        guard mayBegin else { throw HTTPError(.malformedMethod) }
    }

    private func parseHead(_ bytes: Span<UInt8>, end: Int, into head: inout RequestHead) throws(HTTPError) {
        let first = try StartLine.parse(bytes, from: start, end: end, into: &head)
        head.fields.begin(with: bytes.extracting(first..<end))
        var line = first
        while line < end - 2 {
            guard head.fields.count < limits.headFields else { throw HTTPError(.tooManyFields) }
            let entry = try FieldLine.scan(bytes, from: line, limit: end)
            let lineEnd = Int(entry.lineEnd)
            guard bytes[lineEnd] == UInt8(ascii: "\r"), bytes[lineEnd + 1] == UInt8(ascii: "\n") else {
                throw HTTPError(.controlByte)
            }
            head.fields.add(entry, from: first)
            line = lineEnd + 2
        }
        try RequestRules.apply(to: &head)
    }
}

/// Parses one request head from the bytes that have come so far (RFC 9112 §2, §3, §5), in one scan that goes on where
/// it stopped.
///
/// Every line is judged as soon as it is whole, and a control byte at once: what comes out does not depend on how the
/// bytes were cut. Up to two empty lines before the request line are skipped (§2.2).
public struct RequestHeadParser: Sendable {
    private enum Phase: Sendable {
        case start, requestLine, fields
    }

    private let limits: HeadLimits
    private var phase = Phase.start
    /// Where the head begins, behind the empty lines.
    private var start = 0
    /// Where the line begins that is not parsed yet.
    private var line = 0
    /// Bytes before this one are text.
    private var scanned = 0
    /// Where the field lines begin, and how far they are in `head.fields`.
    private var firstField = 0
    private var kept = 0

    private static let skippedBytes = 4

    public init(limits: HeadLimits) { self.limits = limits }

    /// Makes ready for the next head.
    public mutating func reset() {
        phase = .start
        (start, line, scanned, firstField, kept) = (0, 0, 0, 0, 0)
    }

    /// `bytes` are all bytes received since the last head, `head` is overwritten.
    ///
    /// Returns how many bytes the head takes, the empty lines before it included, or nil when it is not whole. After
    /// nil and after an error `head` holds what has been parsed so far. After an error the parser must be reset; every
    /// error has lost the framing.
    public mutating func parse(_ bytes: Span<UInt8>, into head: inout RequestHead) throws(HTTPError) -> Int? {
        if phase == .start {
            head.reset()
            phase = .requestLine
        }
        defer { keepFields(of: bytes, in: &head) }
        while let end = try endOfLine(bytes) {
            let content = line..<end
            if content.isEmpty {
                if phase == .fields {
                    keepFields(of: bytes, in: &head)
                    (line, kept) = (end + 2, end + 2)
                    try RequestRules.apply(to: &head)
                    return end + 2
                }
                guard end < Self.skippedBytes else { throw HTTPError(.malformedStartLine) }
                start = end + 2
            } else if phase == .fields {
                guard head.fields.count < limits.headFields else { throw HTTPError(.tooManyFields) }
                head.fields.note(try FieldLine(scanned: content, of: bytes), of: bytes, base: firstField)
            } else {
                try StartLine.parse(bytes, content, into: &head)
                phase = .fields
                (firstField, kept) = (end + 2, end + 2)
            }
            line = end + 2
            scanned = line
        }
        return nil
    }

    /// The CR of the next line end, or nil when the line is not whole.
    @inline(__always)
    private mutating func endOfLine(_ bytes: Span<UInt8>) throws(HTTPError) -> Int? {
        let (bound, overflows) = start.addingReportingOverflow(limits.headBytes)
        let limit = overflows ? bytes.count : min(bytes.count, bound)
        scanned = bytes.firstControl(in: min(scanned, limit)..<limit)
        if scanned < limit, bytes[scanned] != UInt8(ascii: "\r") { throw HTTPError(control: bytes[scanned]) }
        if scanned + 1 < limit {
            guard bytes[scanned + 1] == UInt8(ascii: "\n") else { throw HTTPError(.bareCarriageReturn) }
            return scanned
        }
        if !overflows, bytes.count >= bound { throw HTTPError(.headTooLarge) }
        return nil
    }

    private mutating func keepFields(of bytes: Span<UInt8>, in head: inout RequestHead) {
        guard kept < line else { return }
        if phase == .fields { head.fields.keep(kept..<line, of: bytes) }
        kept = line
    }
}

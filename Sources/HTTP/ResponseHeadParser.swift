/// Checks a response head that comes line by line, as libcurl hands it on: libcurl lets pass what no client should see.
///
/// Folded fields are unfolded (RFC 9112 §5.2); both framings, two lengths, bare CR or LF, blanks before a colon and
/// control bytes are refused. Several heads may follow each other (1xx, then the final one): each begins anew.
public struct ResponseHeadParser: Sendable {
    private let limits: HeadLimits
    private var isInFields = false
    private var taken = 0
    /// For `parse`: where the line begins that has not been taken yet, and how far its end was looked for.
    private var line = 0
    private var scanned = 0

    /// The usual bounds: 256 KiB, 4,000 fields.
    public static let defaultLimits = HeadLimits(headBytes: 262_144, headFields: 4_000)

    public init(limits: HeadLimits = ResponseHeadParser.defaultLimits) { self.limits = limits }

    /// Makes ready for another response. After an error this is needed.
    public mutating func reset() {
        isInFields = false
        (taken, line, scanned) = (0, 0, 0)
    }

    /// Takes one line with its CRLF; the empty line ends the head, and true comes back. A status line overwrites `head`.
    public mutating func feed(
        _ line: Span<UInt8>, requestMethod: Method, into head: inout ResponseHead
    ) throws(HTTPError) -> Bool {
        taken += line.count
        guard taken <= limits.headBytes else { throw HTTPError(.headTooLarge) }
        let content = try FieldLine.content(of: line)
        if !isInFields {
            head.fields.removeAll()
            try StatusLine.parse(line, content ?? 0..<0, into: &head)
            isInFields = true
            return false
        }
        guard let content else {
            isInFields = false
            taken = 0
            try ResponseRules.apply(to: &head, requestMethod)
            return true
        }
        if isBlank(line[0]) {
            guard head.fields.count > 0 else { throw HTTPError(.foldedField) }
            head.fields.extendLast(with: line.extracting(line.trimmed(content)))
        } else {
            guard head.fields.count < limits.headFields else { throw HTTPError(.tooManyFields) }
            head.fields.append(try FieldLine(scanned: content, of: line), of: line)
        }
        return false
    }

    /// Takes a head from a block: `bytes` are all bytes received since the last head.
    ///
    /// Returns how many bytes the head takes, or nil when it is not whole.
    public mutating func parse(
        _ bytes: Span<UInt8>, requestMethod: Method, into head: inout ResponseHead
    ) throws(HTTPError) -> Int? {
        while true {
            let limit = min(bytes.count, limits.headBytes)
            scanned = bytes.firstIndex(of: UInt8(ascii: "\n"), in: min(scanned, limit)..<limit)
            guard scanned < limit else {
                if bytes.count >= limits.headBytes { throw HTTPError(.headTooLarge) }
                return nil
            }
            scanned += 1
            let content = line..<scanned
            line = scanned
            if try feed(bytes.extracting(content), requestMethod: requestMethod, into: &head) {
                reset()
                return content.upperBound
            }
        }
    }
}

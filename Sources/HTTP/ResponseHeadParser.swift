/// Checks a response head that comes line by line, as libcurl hands it on: libcurl lets pass what no client should see.
///
/// Folded fields are unfolded (RFC 9112 §5.2); both framings, two lengths, bare CR or LF, blanks before a colon and
/// control bytes are refused. Several heads may follow each other (1xx, then the final one).
public struct ResponseHeadParser: Sendable {
    private var isInFields = false

    public init() {}

    /// Makes ready for another response.
    public mutating func reset() { isInFields = false }

    /// Takes one line with its CRLF; the empty line ends the head, and true comes back. A status line overwrites `head`.
    public mutating func feed(
        _ line: Span<UInt8>, requestMethod: Method, into head: inout ResponseHead
    ) throws(HTTPError) -> Bool {
        let end = line.count - 2
        guard end >= 0, line[end] == UInt8(ascii: "\r"), line[end + 1] == UInt8(ascii: "\n") else {
            throw HTTPError(.bareLineFeed)
        }
        if !isInFields {
            try Self.statusLine(line, 0..<end, into: &head)
            head.fields.removeAll()
            isInFields = true
            return false
        }
        if end == 0 {
            isInFields = false
            head.framing = try Self.framing(of: head, requestMethod)
            return true
        }
        if isBlank(line[0]) {
            guard head.fields.count > 0 else { throw HTTPError(.foldedField) }
            for index in 0..<end where !ByteKind.of(line[index]).contains(.fieldValue) {
                throw HTTPError(.controlByte)
            }
            head.fields.extendLast(with: line.extracting(line.trimmed(0..<end)))
        } else {
            try FieldLine.append(line, upTo: end, to: &head.fields)
        }
        return false
    }

    /// `HTTP/1.1 200 OK`; the reason may be missing (RFC 9112 §4).
    private static func statusLine(
        _ line: Span<UInt8>, _ range: Range<Int>, into head: inout ResponseHead
    ) throws(HTTPError) {
        let isStatusLine =
            range.count >= 12 && line.extracting(0..<7).equals("HTTP/1.") && line[8] == 0x20
            && ByteKind.of(line[7]).contains(.digit)
            && (range.count == 12 || line[12] == 0x20)
        guard isStatusLine else { throw HTTPError(.malformedStatusLine) }
        var status = 0
        for index in 9..<12 {
            guard ByteKind.of(line[index]).contains(.digit) else { throw HTTPError(.malformedStatusLine) }
            status = status * 10 + Int(line[index] - UInt8(ascii: "0"))
        }
        guard status >= 100 else { throw HTTPError(.malformedStatusLine) }
        head.status = status
        head.version = line[7] == UInt8(ascii: "0") ? .http10 : .http11
        head.reason.removeAll(keepingCapacity: true)
        for index in 13..<max(range.count, 13) {
            guard ByteKind.of(line[index]).contains(.fieldValue) else { throw HTTPError(.controlByte) }
            head.reason.append(line[index])
        }
    }

    /// RFC 9112 §6.3, with every ambiguity refused.
    private static func framing(of head: borrowing ResponseHead, _ method: Method) throws(HTTPError)
        -> ResponseFraming
    {
        let coding = head.fields.index(of: .transferEncoding)
        let length = head.fields.index(of: .contentLength)
        if let coding {
            if length != nil { throw HTTPError(.lengthAndTransferEncoding) }
            if head.version == .http10 { throw HTTPError(.transferEncodingInHTTP10) }
            guard head.fields.index(of: .transferEncoding, from: coding + 1) == nil,
                head.fields.value(coding).equalsIgnoringCase("chunked")
            else { throw HTTPError(.unknownTransferEncoding) }
        }
        var count: UInt64?
        if let length {
            guard head.fields.index(of: .contentLength, from: length + 1) == nil else {
                throw HTTPError(.repeatedContentLength)
            }
            count = try ContentLength.parse(head.fields.value(length))
        }
        // What a CONNECT opened is no body either.
        if method == .connect, (200...299).contains(head.status) { return .none }
        if method == .head || head.status < 200 || head.status == 204 || head.status == 304 {
            return .none
        }
        if coding != nil { return .chunked }
        return count.map { .length($0) } ?? .untilClose
    }
}

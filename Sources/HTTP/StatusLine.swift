/// The status line (RFC 9112 §4).
enum StatusLine {
    /// `HTTP/1.1 200 OK`; the reason may be missing, with the space before it. `line` of `bytes` is known to hold no
    /// control.
    static func parse(_ bytes: Span<UInt8>, _ line: Range<Int>, into head: inout ResponseHead) throws(HTTPError) {
        let text = bytes.extracting(line)
        let isStatusLine =
            text.count >= 12 && text.extracting(first: 7).equals("HTTP/1.") && isDigit(text[7]) && text[8] == 0x20
            && isDigit(text[9]) && isDigit(text[10]) && isDigit(text[11]) && (text.count == 12 || text[12] == 0x20)
        guard isStatusLine else { throw HTTPError(.malformedStatusLine) }
        let zero = UInt8(ascii: "0")
        let status = Int(text[9] - zero) * 100 + Int(text[10] - zero) * 10 + Int(text[11] - zero)
        // Above 599 is nothing that RFC 9110 §15 knows, but origins send it, and it is theirs.
        guard status >= 100 else { throw HTTPError(.malformedStatusLine) }
        head.status = status
        head.version = text[7] == zero ? .http10 : .http11
        head.reason.removeAll(keepingCapacity: true)
        if text.count > 13 { head.reason.append(text.extracting(13..<text.count)) }
    }
}

/// What fields mean for a response as a whole.
enum ResponseRules {
    static func apply(to head: inout ResponseHead, _ method: Method) throws(HTTPError) {
        head.framing = try framing(of: head, method)
        let hasNoContent = head.status < 200 || head.status == 204
        // It must not be there (RFC 9110 §8.6), and a client that believes it would wait for a body.
        if hasNoContent, let index = head.fields.index(of: .contentLength), !head.fields.value(index).equals("0") {
            head.fields.removeAll(.contentLength)
        }
        if head.fields.list(.connection, contains: "close") {
            head.keepAlive = false
        } else {
            head.keepAlive = head.version == .http11 || head.fields.list(.connection, contains: "keep-alive")
        }
    }

    /// RFC 9112 §6.3, with every ambiguity refused.
    private static func framing(of head: borrowing ResponseHead, _ method: Method) throws(HTTPError) -> ResponseFraming
    {
        let isChunked = try TransferCoding.isChunked(head.fields, head.version)
        let length = try ContentLength.read(head.fields)
        let hasNoContent = head.status < 200 || head.status == 204 || head.status == 304
        let opensTunnel = method == .connect && (200..<300).contains(head.status)
        if method == .head || hasNoContent || opensTunnel { return .none }
        if isChunked { return .chunked }
        return if let length { .length(length) } else { .untilClose }
    }
}

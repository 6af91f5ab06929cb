/// Transfer-Encoding as far as it is understood here (RFC 9112 §6.1): `chunked` alone, in HTTP/1.1.
enum TransferCoding {
    /// Whether the message is chunked. What else the field may say is refused, and so is a Content-Length beside it.
    static func isChunked(_ fields: borrowing Fields, _ version: HTTPVersion) throws(HTTPError) -> Bool {
        guard let index = fields.index(of: .transferEncoding) else { return false }
        guard fields.index(of: .contentLength) == nil else { throw HTTPError(.lengthAndTransferEncoding) }
        guard version != .http10 else { throw HTTPError(.transferEncodingInHTTP10) }
        guard fields.index(of: .transferEncoding, from: index + 1) == nil,
            fields.value(index).equalsIgnoringCase("chunked")
        else { throw HTTPError(.unknownTransferEncoding) }
        return true
    }
}

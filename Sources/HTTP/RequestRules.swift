/// What fields mean for a request as a whole: body framing, persistence, `Host`, `Expect`, `Upgrade`. What is ambiguous
/// is refused.
enum RequestRules {
    static func apply(to head: inout RequestHead) throws(HTTPError) {
        try checkHost(head)
        head.framing = try framing(of: head)
        if head.method == .connect {
            // CONNECT has no content (RFC 9110 §9.3.6): what follows is the tunnel's.
            guard !head.framing.hasBody else { throw HTTPError(.bodyNotAllowed) }
            head.framing = .none
        }
        head.keepAlive = keepsAlive(head)
        head.expectsContinue =
            head.version == .http11 && head.fields.list(.expect, contains: "100-continue")
        head.upgradesToWebSocket =
            head.version == .http11 && head.method == .get && !head.framing.hasBody
            && head.fields.list(.upgrade, contains: "websocket")
            && head.fields.list(.connection, contains: "upgrade")
    }

    /// RFC 9112 §3.2: exactly one in HTTP/1.1, none or one in HTTP/1.0, and it must be an authority.
    private static func checkHost(_ head: borrowing RequestHead) throws(HTTPError) {
        guard let index = head.fields.index(of: .host) else {
            if head.version == .http11 { throw HTTPError(.missingHost) }
            return
        }
        guard head.fields.index(of: .host, from: index + 1) == nil else {
            throw HTTPError(.repeatedHost)
        }
        let value = head.fields.value(index)
        if value.count == 0 { return }
        do { _ = try AuthorityParts(value) } catch { throw HTTPError(.malformedHost) }
    }

    /// RFC 9112 §6.3, with every ambiguity refused.
    private static func framing(of head: borrowing RequestHead) throws(HTTPError) -> BodyFraming {
        let lengthIndex = head.fields.index(of: .contentLength)
        if let index = head.fields.index(of: .transferEncoding) {
            if lengthIndex != nil { throw HTTPError(.lengthAndTransferEncoding) }
            if head.version == .http10 { throw HTTPError(.transferEncodingInHTTP10) }
            guard head.fields.index(of: .transferEncoding, from: index + 1) == nil,
                head.fields.value(index).equalsIgnoringCase("chunked")
            else { throw HTTPError(.unknownTransferEncoding) }
            return .chunked
        }
        guard let lengthIndex else { return .none }
        guard head.fields.index(of: .contentLength, from: lengthIndex + 1) == nil else {
            throw HTTPError(.repeatedContentLength)
        }
        return .length(try ContentLength.parse(head.fields.value(lengthIndex)))
    }

    /// RFC 9112 §9.3: a proxy keeps no connection with an HTTP/1.0 client, as it cannot know that no other proxy, which
    /// passes on `Connection` unread, is in between.
    private static func keepsAlive(_ head: borrowing RequestHead) -> Bool {
        head.version == .http11 && !head.fields.list(.connection, contains: "close")
            && !head.fields.list(.proxyConnection, contains: "close")
    }
}

/// The value of Content-Length (RFC 9110 §8.6): digits alone, no sign, no list, at most `Int64.max`.
enum ContentLength {
    static func parse(_ value: Span<UInt8>) throws(HTTPError) -> UInt64 {
        guard value.count > 0 else { throw HTTPError(.malformedContentLength) }
        var length: UInt64 = 0
        for index in 0..<value.count {
            guard ByteKind.of(value[index]).contains(.digit) else {
                throw HTTPError(.malformedContentLength)
            }
            let (product, isTooLarge) = length.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(
                UInt64(value[index] - UInt8(ascii: "0")))
            guard !isTooLarge, !overflows, sum <= UInt64(Int64.max) else {
                throw HTTPError(.malformedContentLength)
            }
            length = sum
        }
        return length
    }
}

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
        if head.version == .http11 {
            head.expectsContinue = head.fields.list(.expect, contains: "100-continue")
            head.upgradesToWebSocket =
                head.method == .get && !head.framing.hasBody && head.fields.list(.upgrade, contains: "websocket")
                && head.fields.list(.connection, contains: "upgrade")
        }
    }

    /// RFC 9112 §3.2: exactly one in HTTP/1.1, none or one in HTTP/1.0, and it must be an authority.
    private static func checkHost(_ head: borrowing RequestHead) throws(HTTPError) {
        guard let index = head.fields.index(of: .host) else {
            if head.version == .http11 { throw HTTPError(.missingHost) }
            return
        }
        guard head.fields.index(of: .host, from: index + 1) == nil else { throw HTTPError(.repeatedHost) }
        guard AuthorityText(head.fields.value(index)) != nil else { throw HTTPError(.malformedHost) }
    }

    /// RFC 9112 §6.3, with every ambiguity refused.
    private static func framing(of head: borrowing RequestHead) throws(HTTPError) -> BodyFraming {
        if try TransferCoding.isChunked(head.fields, head.version) { return .chunked }
        return if let length = try ContentLength.read(head.fields) { .length(length) } else { .none }
    }

    /// RFC 9112 §9.3: a proxy keeps no connection of an HTTP/1.0 client. `Proxy-Connection` means the same as
    /// `Connection` where clients speak to a proxy.
    private static func keepsAlive(_ head: borrowing RequestHead) -> Bool {
        guard head.version == .http11 else { return false }
        let fields = head.fields
        guard fields.mayContain(.connection) || fields.mayContain(.proxyConnection) else { return true }
        return !fields.list(.connection, contains: "close") && !fields.list(.proxyConnection, contains: "close")
    }
}

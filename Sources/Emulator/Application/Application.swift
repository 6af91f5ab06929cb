internal import HTTP

/// The application behind the protection: answers one request that reached it.
///
/// `/protected/…` is the same application once more, under the prefix that the default rules protect.
struct Application {
    let core: EmulatorCore
    let exchange: ServerExchange
    /// With the query, as it came.
    let fullTarget: String
    /// Without `/protected`.
    let target: Target
    let body: ReceivedBody
    /// `/protected` where the request came under it.
    let prefix: String

    private static let protectedPrefix = "/protected"

    init(core: EmulatorCore, exchange: ServerExchange, target: String, body: ReceivedBody) {
        self.core = core
        self.exchange = exchange
        self.body = body
        fullTarget = target
        let isProtected = target.hasPrefix(Self.protectedPrefix + "/")
        prefix = isProtected ? Self.protectedPrefix : ""
        self.target = Target(String(target.dropFirst(prefix.utf8.count)))
    }

    func answer() async throws(ExchangeFailure) {
        let parts = target.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let number = parts.count == 2 ? UInt64(parts[1]) : nil
        switch (parts.first ?? "", parts.count, number) {
        case ("get", 1, _): echo(allowing: [.get, .head])
        case ("post", 1, _): echo(allowing: [.post, .put, .patch, .delete])
        case ("headers", 1, _): exchange.answer(json: ["headers": headersJSON])
        case ("cookies", 1, _): exchange.answer(json: cookiesJSON)
        case ("upload", 1, _): upload()
        case ("bytes", 2, let count?): try await bytes(count)
        case ("stream", 2, let count?): try await stream(count)
        case ("trailers", 1, _): try await trailers()
        case ("drip", 1, _): try await drip()
        case ("sse", 1, _): try await events()
        case ("delay", 2, let msec?) where msec <= 3_600_000: await delay(Int(msec))
        case ("status", 2, let status?) where (200...599).contains(status): self.status(Int(status))
        case ("redirect", 2, let count?) where count <= 100: redirect(Int(count))
        case ("ws", 1, _): try await webSocket()
        case ("", 1, _): index()
        default: exchange.answer(json: ["error": "no such path"], status: 404)
        }
    }

    private func index() {
        let paths = [
            "get", "post", "headers", "cookies", "upload", "bytes/N", "stream/N", "trailers", "drip", "sse", "delay/MS",
            "status/N", "redirect/N", "ws",
        ]
        exchange.answer(json: ["paths": .array(paths.map { .string("\(prefix)/\($0)") })])
    }

    // MARK: Small answers

    private func delay(_ msec: Int) async {
        await core.pauses.pause(for: .milliseconds(msec))
        exchange.answer(json: ["delayMsec": .integer(msec)])
    }

    /// The status alone, and a line of text: an origin's own 202 or 405 has nothing of the protection's.
    private func status(_ status: Int) {
        exchange.answer(status, type: "text/plain; charset=utf-8", body: Array("status \(status)\n".utf8))
    }

    /// N hops, then `/get`.
    private func redirect(_ count: Int) {
        let next = count > 1 ? "\(prefix)/redirect/\(count - 1)" : "\(prefix)/get"
        exchange.answer(302, fields: [("Location", next)])
    }

    private func upload() {
        exchange.answer(json: ["size": .integer(Int(body.size)), "sha256": .string(body.sha256)])
    }
}

import EventLoop
import HTTP
import Telemetry
import Upstream

/// A parent on loopback; `user:password` where it wants credentials.
func parent(_ kind: ParentProxy.Kind = .http, port: UInt16, _ pair: String? = nil) -> ParentProxy {
    let parts = pair?.split(separator: ":", maxSplits: 1).map(String.init)
    return ParentProxy(
        kind: kind, host: "127.0.0.1", port: port,
        credentials: parts.map { .init(user: Redacted($0[0]), password: Redacted($0[1])) })
}

extension UpstreamConfiguration {
    /// Sends everything through `parent`.
    mutating func use(_ parent: ParentProxy) {
        self.parent = { _, _ in parent }
        parents = [parent]
    }
}

/// A server that gives back every byte, and ends its side when the client has ended its own.
func echoServer(greeting: String = "") -> RawServer {
    RawServer { connection in
        connection.write(greeting)
        while let byte = connection.readExactly(1) { connection.write(byte) }
        connection.write("|end")
        connection.finish()
    }
}

/// What a tunnel to `echoServer` brings: `text` goes up, and when it is back our side ends.
func talk(
    through parent: ParentProxy, to target: Authority, sending text: String, on client: UpstreamClient
) async throws -> String {
    let limit = DialLimit(loop: client.loop, limit: .seconds(60))
    let tunnel = try await client.openTunnel(to: target, through: parent, via: [], within: limit)
    defer { tunnel.close() }
    tunnel.send(Array(text.utf8))
    func received() -> String { tunnel.inbound.withUnsafeBufferPointer { latin1($0) } }
    while !received().contains(text), try await tunnel.receive() {}
    try await tunnel.finishSending()
    while try await tunnel.receive() {}
    return received()
}

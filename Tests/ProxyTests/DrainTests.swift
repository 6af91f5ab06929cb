import EventLoop
import HTTP
import Telemetry
import Testing
import Upstream
import WAFTokens

@testable import Proxy

/// `Worker.drain`, through the server.
@Suite(.timeLimit(.minutes(2)))
struct DrainTests {
    @Test("resting connections end at once, a request under way is finished, a late caller waits for the same end")
    func drains() async throws {
        let asked = Lock(false)
        try await Rig.with({ $0.configuration.drainTimeout = .seconds(60) }) { origin in
            guard await origin.nextHead() != nil else { return }
            asked.withLock { $0 = true }
            await origin.stream.loop.sleep(for: .milliseconds(300))
            origin.send(answer())
            _ = await origin.stream.rest()
        } _: { rig in
            let resting = try await rig.connect()
            let busy = try await rig.connect()
            busy.send(rig.head())
            #expect(await eventually(rig.loop) { asked.withLock { $0 } })
            async let first: Void = rig.server.drain()
            async let second: Void = rig.server.drain()
            let (nothing, end) = (await resting.rest(), await busy.rest())
            #expect(nothing == ("", true))
            #expect(end.text.hasPrefix("HTTP/1.1 200 "))
            _ = await (first, second)
            resting.close()
            busy.close()
        }
    }

    @Test(
        "what is left at the deadline is cut off: a silent origin, an endless answer, a tunnel",
        arguments: ["GET /silent", "GET /endless", "CONNECT"])
    func deadline(what: String) async throws {
        try await Rig.with({ $0.configuration.drainTimeout = .milliseconds(200) }) { origin in
            guard what != "CONNECT" else { return _ = await origin.stream.rest() }
            _ = await origin.nextHead()
            if what.contains("endless") { origin.send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\npart") }
            _ = await origin.stream.rest()
        } _: { rig in
            let stream = try await rig.connect()
            let text = "CONNECT \(rig.origin) HTTP/1.1\r\nHost: \(rig.origin)\r\n\r\n"
            stream.send(what == "CONNECT" ? text : rig.head("GET", String(what.dropFirst(4))))
            await rig.loop.sleep(for: .milliseconds(100))
            await rig.server.drain()
            let (_, isOrderly) = await stream.rest()
            #expect(!isOrderly)
            stream.close()
        }
    }

    @Test("a request that waits for a token does not hold up the end")
    func heldRequest() async throws {
        let loop = try EventLoop(name: "held")
        loop.start()
        defer { loop.stop() }
        var environment = ProviderEnvironment()
        environment.executor = loop
        environment.sleep = { await loop.sleep(for: $0) }
        let provider = try WAFTokenProvider(
            WAFConfiguration(domainName: "shop.test"), source: NoSource(), environment: environment)
        var configuration = ProxyConfiguration()
        configuration.drainTimeout = .milliseconds(100)
        var policy = AttachPolicy()
        policy.whenNoToken = .hold(.seconds(300))
        let server = try await ProxyServer(
            listenOn: [SocketAddress(ip: "127.0.0.1", port: 0)!], loops: [loop], configuration: configuration,
            upstream: .init(),
            providers: HostTable([
                ([try HostPattern("127.0.0.1:*")], ProxyProvider(provider: provider, policy: policy))
            ]), replayBudget: .init(limit: 0), logger: .silent)
        let address = server.addresses[0]
        try await onLoop { mine in
            let stream = try await Stream.connect(to: address, on: mine, timeout: .seconds(60))
            stream.send("GET http://127.0.0.1:9/ HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n")
            await mine.sleep(for: .milliseconds(100))
            await server.drain()  // the hold alone would last longer than the suite may
            stream.close()
        }
        await provider.stop()
    }

    /// Has no token to give.
    private struct NoSource: TokenSource {
        func fetch(_ request: SourceRequest) async throws(SourceError) -> SourceAnswer {
            throw SourceError(.internalError, "none")
        }
    }
}

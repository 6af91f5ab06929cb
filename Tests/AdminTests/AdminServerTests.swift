import EventLoop
import HTTP
import Proxy
import Telemetry
import Testing
import Upstream
import WAFTokens

@testable import Admin

/// A real listener on a loop of its own, asked over TCP.
@Suite struct AdminServerTests {
    private struct Desk {
        let loop: EventLoop
        let server: AdminServer
        let service: AdminService
        let provider: WAFTokenProvider

        /// Sends `text` as it is, `HOST` replaced by what the listener's `Host` is; all that comes back until the end.
        func send(_ text: String) async throws -> String {
            let address = server.address
            let bytes = Array(text.replacing("HOST", with: "\(address)").utf8)
            let loop = loop
            let result: Result<String, StreamError> = await loop.run {
                do throws(StreamError) {
                    let stream = try await Stream.connect(to: address, on: loop, timeout: .seconds(60))
                    defer { stream.close() }
                    stream.send(bytes)
                    while try await stream.receive(within: .seconds(60)) {}
                    return .success(stream.inbound.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
                } catch {
                    return .failure(error)
                }
            }
            return try result.get()
        }

        func status(_ text: String) async throws -> Int? {
            Int(try await send(text).split(separator: " ").dropFirst().first ?? "")
        }
    }

    private func with(_ body: (Desk) async throws -> Void) async throws {
        let loop = try EventLoop(name: "admin")
        loop.start()
        defer { loop.stop() }
        let provider = try WAFTokenProvider(
            WAFConfiguration(domainName: "shop.test"), source: CountingSource(), name: "shop",
            environment: stillWorld())
        _ = await provider.refresh(within: .seconds(60))
        let service = AdminService(
            version: "1.2.3", listen: [SocketAddress(ip: "127.0.0.1", port: 8080)!],
            providers: [AdminService.Provider(provider, hosts: ["shop.test", "*.shop.test:8443"])],
            explainer: Explainer(
                ProxyConfiguration(), UpstreamConfiguration(),
                try HostTable([
                    ([try HostPattern("shop.test")], Explainer.Listed(name: "shop", policy: AttachPolicy()))
                ])),
            counters: { ProxyServer.Counters(connections: 3, tunnels: 2) }, metrics: ProxyMetrics(),
            flows: FlowRing(capacity: 10),
            droppedLogLines: { 0 })
        let socket = try ListenerGroup.bind(SocketAddress(ip: "127.0.0.1", port: 0)!, count: 1)[0]
        let server = try await AdminServer(
            on: .ip(socket), loop: loop, service: service, token: Redacted(Array("s3cret".utf8)))
        do {
            try await body(Desk(loop: loop, server: server, service: service, provider: provider))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        await provider.stop()
    }

    private static let auth = "Authorization: Bearer s3cret\r\n"

    private func post(_ path: String, _ body: String, _ fields: String = auth) -> String {
        "POST \(path) HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\(fields)Content-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\(fields)\r\n"
    }

    @Test("every operation does what it says")
    func operations() async throws {
        try await with { desk in
            #expect(try await desk.send(get("/livez")).hasSuffix("{\"live\":true}\n"))
            #expect(try await desk.send(get("/readyz")).contains("\"ready\":true"))
            let status = try await desk.send(get("/v1/status"))
            for part in [
                "\"version\":\"1.2.3\"", "\"listen\":[\"127.0.0.1:8080\"]", "\"name\":\"shop\"", "\"state\":\"fresh\"",
                "\"hosts\":[\"shop.test\",\"*.shop.test:8443\"]", "\"counters\":{\"connections\":3,\"tunnels\":2}",
                "\"outcome\":\"new\"",
            ] { #expect(status.contains(part), "\(part) in \(status)") }
            #expect(!status.contains("t-1"))

            let hidden = try await desk.send(get("/v1/providers/shop/token"))
            #expect(hidden.contains(try WAFToken("t-1").fingerprint) && !hidden.contains("t-1"))
            #expect(
                try await desk.send(get("/v1/providers/shop/token?reveal=1", Self.auth)).contains("\"value\":\"t-1\""))
            #expect(try await desk.status(post("/v1/providers/shop/refresh", "")) == 200)
            #expect(await desk.provider.peekToken()?.getValue() == "t-2")
            #expect(
                try await desk.status(post("/v1/providers/shop/token", #"{"token":"given","expiresIn":50}"#)) == 200)
            #expect(await desk.provider.peekToken()?.getValue() == "given")
            #expect(try await desk.status(post("/v1/providers/shop/expire", "{}")) == 200)
            #expect(await desk.provider.peekToken()?.getValue() != "given")
            #expect(try await desk.status(post("/v1/activity", #"{"active":false}"#)) == 200)
            #expect(await desk.provider.status().isActive == false)
            #expect(try await desk.status(post("/v1/activity", #"{"active":true,"provider":"shop"}"#)) == 200)
            #expect(await desk.provider.status().isActive)
            let explained = try await desk.send(get("/v1/explain?url=http://127.0.0.1/"))
            #expect(explained.contains("\"reason\":\"host_not_listed\""))
            #expect(try await desk.status(get("/ca.pem")) == 404)
            desk.service.offerAuthority(Array("PEM".utf8))
            #expect(try await desk.send(get("/ca.pem")).hasSuffix("\r\n\r\nPEM"))
            #expect(try await desk.send(get("/v1/clients")).contains("\"clients\":[]"))
            desk.service.drains()
            #expect(try await desk.status(get("/readyz")) == 503)
        }
    }

    @Test("a refusal has its status, in JSON, and says nothing of secrets")
    func refusals() async throws {
        try await with { desk in
            let cases: [(String, Int)] = [
                (get("/nope"), 404), (get("/v1/providers/other/token"), 404), (get("/v1/providers/shop/refresh"), 405),
                (get("/v1/explain?url=nonsense"), 400), (get("/v1/providers/shop/token?reveal=1"), 401),
                (post("/v1/providers/shop/token", #"{"token":"x"}"#, ""), 401),
                (post("/v1/providers/shop/token", #"{"token":"x y"}"#), 400),
                (post("/v1/providers/other/expire", ""), 404), (post("/v1/activity", "{}"), 400),
                (post("/v1/activity", #"{"active":true,"provider":"other"}"#), 404),
                ("GET /livez HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n", 421),
                ("GET /nope HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n", 421),
                ("GET http://HOST/livez HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
                ("CONNECT shop.test:443 HTTP/1.1\r\nHost: shop.test:443\r\n\r\n", 400),
                ("GET /livez HTTP/1.1\r\nHost : HOST\r\n\r\n", 400),
                ("POST /v1/activity HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
                ("POST /v1/activity HTTP/1.1\r\nHost: HOST\r\nContent-Length: 65537\r\n\r\n", 413),
                ("GET /livez HTTP/1.1\r\nHost: HOST\r\nX: \(String(repeating: "x", count: 40_000))\r\n\r\n", 431),
            ]
            for (text, status) in cases {
                let answer = try await desk.send(text)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(80)): \(answer)")
                #expect(answer.contains("Content-Type: application/json\r\n") && answer.contains("{\"error\":\""))
                #expect(!answer.contains("s3cret") && !answer.contains("t-1"))
            }
        }
    }

    @Test("a probe is answered although somebody holds as many connections open as there may be")
    func heldConnections() async throws {
        try await with { desk in
            let (loop, address) = (desk.loop, desk.server.address)
            for _ in 0..<3 {
                let held: [Stream] = try await loop.run { () -> Result<Transferred, StreamError> in
                    var streams: [Stream] = []
                    do throws(StreamError) {
                        for number in 0..<70 {
                            let stream = try await Stream.connect(to: address, on: loop, timeout: .seconds(60))
                            if number % 2 == 0 { stream.send(Array("GET /liv".utf8)) }
                            streams.append(stream)
                        }
                        return .success(Transferred(streams: streams))
                    } catch { return .failure(error) }
                }.get().streams
                #expect(try await desk.status(get("/livez")) == 200)
                nonisolated(unsafe) let streams = held
                await loop.run { for stream in streams { stream.close() } }
            }
        }
    }

    /// Streams that stay on their loop while a test off the loop keeps hold of them.
    private struct Transferred: @unchecked Sendable {
        let streams: [Stream]
    }

    @Test("a connection serves one request after the other, HEAD without content")
    func keepAlive() async throws {
        try await with { desk in
            let head = "HEAD /livez HTTP/1.1\r\nHost: HOST\r\n\r\n"
            let body = #"{"active":true}"#
            let write =
                "POST /v1/activity HTTP/1.1\r\nHost: HOST\r\n\(Self.auth)Content-Type: application/json\r\n"
                + "Expect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            let answers = try await desk.send(head + write + get("/livez"))
            let statuses = answers.matches(of: /HTTP\/1\.1 (\d+)/).map { String($0.1) }
            #expect(statuses == ["200", "100", "200", "200"], "\(answers)")
            #expect(answers.matches(of: /\{"live":true\}/).count == 1)
            #expect(answers.hasSuffix("{\"live\":true}\n"))
        }
    }

    @Test("the client of the command line understands the listener")
    func client() async throws {
        try await with { desk in
            let client = AdminClient(
                .tcp(host: "127.0.0.1", port: try #require(desk.server.address.ip).port),
                token: Redacted(Array("s3cret".utf8)), on: desk.loop)
            #expect(try await client.get("/readyz").document["conditions"]["token"]["shop"].flag == true)
            let shown = try await client.get(AdminClient.path(of: "shop", "token?reveal=1"))
            #expect(shown.document["value"].text == "t-1")
            let loaded = try await client.load(Redacted(Array("odd\"\\".utf8)), expiresInSec: nil, into: "shop")
            #expect(loaded.status == 400)
            #expect(try await client.load(Redacted(Array("x".utf8)), expiresInSec: 9, into: "shop").isGood)
            #expect(try await client.post(AdminClient.path(of: "a/b", "expire")).status == 404)
            let providers = try await client.get("/v1/status").document["providers"].elements
            #expect(providers.map { $0["name"].text } == ["shop"])
        }
    }

    @Test("who does not answer, or is somebody else, is said")
    func noAnswer() async throws {
        let loop = try EventLoop(name: "client")
        loop.start()
        defer { loop.stop() }
        let socket = try ListenerGroup.bind(SocketAddress(ip: "127.0.0.1", port: 0)!, count: 1)[0]
        let client = AdminClient(
            .tcp(host: socket.address.host, port: socket.address.port), token: nil, on: loop)
        await #expect {
            _ = try await client.get("/readyz")
        } throws: { error in
            "\(error)".hasPrefix("no proxy answers at \(socket.address)")
        }
        let nameless = AdminClient(.tcp(host: "nobody.invalid", port: 1), token: nil, on: loop)
        await #expect {
            _ = try await nameless.get("/readyz")
        } throws: { error in
            "\(error)".hasPrefix("no proxy answers at nobody.invalid: ")
        }
        for text in [
            "", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n[]", "SSH-2.0\r\n\r\n{}", "HTTP/1.1 x\r\n\r\n{}",
        ] {
            #expect(AdminClient.Answer(reading: Array(text.utf8)) == nil)
        }
    }
}

import EventLoop
import HTTP
import TLS
import Telemetry
import Testing
import Upstream
import WAFTokens

@testable import Proxy

/// CONNECT to a listed host, from the client's first byte to the origin's.
@Suite(.timeLimit(.minutes(2)))
struct InterceptTests {
    private static let established = "HTTP/1.1 200 Connection established\r\n\r\n"

    /// A rig whose origin speaks TLS as `shop.test`, which is listed and dialled at it.
    private func withTLS<Result: Sendable>(
        _ wish: @escaping @Sendable (inout Rig.Wishes) -> Void = { _ in },
        answer text: String = answer(), _ body: @escaping @Sendable (Rig, TestAuthority) async throws -> Result
    ) async throws -> Result {
        let authority = try TestAuthority()
        let origin = try TLSContext(serverIdentity: authority.identity("shop.test"))
        let interceptor = try authority.interceptor()
        return try await authority.withFile { path in
            try await Rig.with(
                {
                    $0.policy = AttachPolicy()
                    $0.hosts = ["shop.test:*", "127.0.0.1:*"]
                    $0.configuration.interceptor = interceptor
                    $0.upstream.caFile = path
                    wish(&$0)
                },
                origin: { connection in
                    if let session = try? TLSSession(context: origin) { try? await connection.stream.startTLS(session) }
                    while await connection.nextHead() != nil { connection.send(text) }
                }
            ) { try await body($0, authority) }
        }
    }

    private func tunnel(_ rig: Rig, to authority: String) async throws -> Stream {
        let stream = try await rig.connect()
        #expect(await stream.openTunnel(to: authority) == Self.established)
        return stream
    }

    @Test("a request over TLS inside a tunnel gets the token and reaches the origin over TLS, one after the other")
    func attached() async throws {
        let authority = try TestAuthority()
        let origin = try TLSContext(serverIdentity: authority.identity("127.0.0.1"))
        let interceptor = try authority.interceptor()
        let heads = try await authority.withFile { path in
            try await Rig.with(
                {
                    $0.policy = AttachPolicy()
                    $0.configuration.interceptor = interceptor
                    $0.upstream.caFile = path
                },
                origin: { connection in
                    guard let session = try? TLSSession(context: origin) else { return }
                    try? await connection.stream.startTLS(session)
                    while await connection.nextHead() != nil { connection.send(answer()) }
                }
            ) { rig in
                let stream = try await self.tunnel(rig, to: "\(rig.origin)")
                defer { stream.close() }
                let session = try TLSSession(context: authority.clientContext(), peerName: "127.0.0.1")
                try await stream.startTLS(session)
                for path in ["/one", "/two"] {
                    stream.send("GET \(path) HTTP/1.1\r\nHost: \(rig.origin)\r\n\r\n")
                    let got = await stream.text(through: "\r\n\r\nok")
                    #expect(got?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
                }
                return rig.heads.withLock { $0 }.map {
                    $0.replacing("\(rig.origin)", with: "ORIGIN").replacing(rig.server.viaName, with: "US")
                }
            }
        }
        #expect(
            heads
                == ["/one", "/two"].map {
                    "GET \($0) HTTP/1.1\r\nHost: ORIGIN\r\nVia: 1.1 US\r\nCookie: aws-waf-token=token-1\r\n\r\n"
                })
    }

    @Test(
        "a request for another authority than the tunnel's is answered 421 and carries no token anywhere",
        arguments: [
            "GET / HTTP/1.1\r\nHost: other.test\r\n\r\n", "GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.test\r\n\r\n",
            "GET https://other.test/ HTTP/1.1\r\nHost: ORIGIN\r\n\r\n",
            "GET http://ORIGIN/ HTTP/1.1\r\nHost: ORIGIN\r\n\r\n",
            "CONNECT ORIGIN HTTP/1.1\r\nHost: ORIGIN\r\n\r\n",
        ])
    func misdirected(request: String) async throws {
        try await withTLS { rig, authority in
            let stream = try await self.tunnel(rig, to: "\(rig.origin)")
            defer { stream.close() }
            try await stream.startTLS(TLSSession(context: authority.clientContext(), peerName: "127.0.0.1"))
            stream.send(request.replacing("ORIGIN", with: "\(rig.origin)"))
            let head = await stream.text(through: "\r\n\r\n")
            #expect(head?.hasPrefix("HTTP/1.1 421 ") == true, "\(head ?? "nothing")")
            #expect(head?.contains("error=http_request_denied") == true)
            #expect(rig.heads.withLock { $0.isEmpty })
        }
    }

    @Test("plain HTTP inside a tunnel to a listed host is served as HTTP, with the token")
    func plain() async throws {
        try await Rig.with(
            {
                $0.policy = AttachPolicy()
                $0.configuration.interceptor = try? TestAuthority().interceptor()
            },
            origin: { connection in
                while await connection.nextHead() != nil { connection.send(answer()) }
            }
        ) { rig in
            let stream = try await self.tunnel(rig, to: "\(rig.origin)")
            defer { stream.close() }
            stream.send("GET /p HTTP/1.1\r\nHost: \(rig.origin)\r\n\r\n")
            #expect(await stream.text(through: "\r\n\r\nok") != nil)
            #expect(rig.heads.withLock { $0.first?.contains("aws-waf-token=token-1") } == true)
        }
    }

    @Test("what is neither TLS nor HTTP goes through the tunnel byte for byte, first bytes included")
    func other() async throws {
        try await Rig.with(
            {
                $0.policy = AttachPolicy()
                $0.configuration.interceptor = try? TestAuthority().interceptor()
            },
            origin: { connection in
                guard await connection.stream.text(through: "SSH-2.0-client x\r\n") != nil else { return }
                connection.send("SSH-2.0-server\r\n")
                _ = await connection.stream.rest()
            }
        ) { rig in
            let stream = try await self.tunnel(rig, to: "\(rig.origin)")
            defer { stream.close() }
            stream.send("SSH-2.0-")
            stream.send("client x\r\n")
            #expect(await stream.text(through: "server\r\n") == "SSH-2.0-server\r\n")
        }
    }

    @Test(
        "a client that asks for another name than it dialled gets unrecognized_name", arguments: ["evil.test", "a.b"])
    func otherName(name: String) async throws {
        try await withTLS { rig, authority in
            let stream = try await self.tunnel(rig, to: "\(rig.origin)")
            defer { stream.close() }
            let session = try TLSSession(context: authority.clientContext(), peerName: name)
            let error = await #expect(throws: TLSError.self) { try await stream.startTLS(session) }
            #expect(error?.peerAlert == .unrecognizedName)
        }
    }

    @Test(
        "the tunnel's name in any spelling is the tunnel's name",
        arguments: [("shop.test", "shop.test"), ("SHOP.Test", "shop.test"), ("shop.test.", "shop.test")])
    func sameName(dialled: String, asked: String) async throws {
        try await withTLS({ $0.configuration.headTimeout = .seconds(60) }) { rig, authority in
            let stream = try await self.tunnel(rig, to: "\(dialled):443")
            defer { stream.close() }
            let session = try TLSSession(context: authority.clientContext(protocols: ["http/1.1"]), peerName: asked)
            try await stream.startTLS(session)
            #expect(session.negotiatedProtocol == "http/1.1")
        }
    }

    @Test("a hello that comes byte by byte is read whole before anything is decided")
    func slowHello() async throws {
        try await withTLS { rig, authority in
            let stream = try await self.tunnel(rig, to: "shop.test:443")
            defer { stream.close() }
            let session = try TLSSession(context: authority.clientContext(), peerName: "shop.test")
            _ = try session.handshake()
            var hello: [UInt8] = []
            session.withOutput { span in span.withUnsafeBufferPointer { hello = Array($0) } }
            for byte in hello {
                stream.send([byte])
                await rig.loop.sleep(for: .microseconds(50))
            }
            guard try await stream.receive(within: .seconds(60)) else { throw StreamError.closed }
            try await stream.startTLS(session)
            #expect(session.state == .open)
        }
    }

    @Test("a client that does not trust the authority is told of in one line, with what to set")
    func untrusting() async throws {
        let lines = try await loggedLines { logger in
            try await withTLS({ $0.logger = logger }) { rig, _ in
                for _ in 0..<3 {
                    let stream = try await rig.connect()
                    _ = await stream.openTunnel(to: "shop.test:443", "User-Agent: curl/8.0")
                    let session = try TLSSession(context: TLSContext(trusting: []), peerName: "shop.test")
                    await #expect(throws: TLSError.self) { try await stream.startTLS(session) }
                    _ = await stream.rest()
                    stream.close()
                }
                #expect(rig.server.trustTroubles.map(\.count) == [3])
            }
        }
        let told = lines.filter { $0.contains("trust") }
        #expect(told.count == 1)
        #expect(told.first?.contains("unknown_ca") == true)
        #expect(told.first?.contains("CURL_CA_BUNDLE=bundle.pem") == true)
    }

    @Test("a client that closes TLS gets close_notify back and leaves nothing behind")
    func closing() async throws {
        try await withTLS { rig, authority in
            let stream = try await self.tunnel(rig, to: "shop.test:443")
            defer { stream.close() }
            try await stream.startTLS(TLSSession(context: authority.clientContext(), peerName: "shop.test"))
            try await stream.finishSending()
            let rest = await stream.rest()
            #expect(rest.text.isEmpty)
            #expect(rest.isOrderly)
            #expect(await eventually(rig.loop) { rig.server.counters.connections == 0 })
        }
    }

    @Test("a host that nobody listed is not touched: the client sees the origin's own certificate")
    func unlisted() async throws {
        let theirs = try TestAuthority()
        let origin = try TLSContext(serverIdentity: theirs.identity("127.0.0.1"))
        try await Rig.with(
            {
                $0.policy = AttachPolicy()
                $0.hosts = ["shop.test"]
                $0.configuration.interceptor = try? TestAuthority().interceptor()
            },
            origin: { connection in
                guard let session = try? TLSSession(context: origin) else { return }
                try? await connection.stream.startTLS(session)
                while await connection.nextHead() != nil { connection.send(answer()) }
            }
        ) { rig in
            let stream = try await self.tunnel(rig, to: "\(rig.origin)")
            defer { stream.close() }
            try await stream.startTLS(TLSSession(context: theirs.clientContext(), peerName: "127.0.0.1"))
            stream.send("GET / HTTP/1.1\r\nHost: \(rig.origin)\r\n\r\n")
            #expect(await stream.text(through: "\r\n\r\nok") != nil)
            #expect(rig.heads.withLock { $0.first?.contains("aws-waf-token") } == false)
        }
    }
}

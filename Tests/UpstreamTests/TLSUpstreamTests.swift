import EventLoop
import HTTP
import Testing
import Upstream

/// Certificates are verified, and what is wrong with one is said. `openssl s_server` is the origin.
@Suite(.timeLimit(.minutes(1)))
struct TLSUpstreamTests {
    /// An HTTPS origin that answers every request with a status page; `more` are further s_server(1) options.
    private struct Origin {
        let port = freePort()
        let certificates: TestCertificates
        let program: Program

        init(_ more: [String] = ["-www"], days: String = "2") throws {
            let scratch = Scratch()
            certificates = try TestCertificates(in: scratch, days: days)
            program = try Program(
                [
                    "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", "leaf.pem", "-key", "leaf.key",
                    "-quiet",
                ] + more, in: scratch.path)
            #expect(waitForPort(port))
        }

        func get(host: String = "127.0.0.1", _ configure: @Sendable (inout UpstreamConfiguration) -> Void) async throws
            -> Answer
        {
            let port = port
            return try await withClient(configure) {
                await $0.perform(request(port: port, host: host, scheme: .https))
            }
        }
    }

    @Test("a certificate of the extra CA file is trusted, by address and by name")
    func trusted() async throws {
        let origin = try Origin()
        let ca = origin.certificates.ca
        for host in ["127.0.0.1", "localhost"] {
            let answer = try await origin.get(host: host) { $0.caFile = ca }
            #expect(answer.status == 200, "\(answer)")
            #expect(answer.text.contains("Ciphers"))
        }
    }

    @Test("a certificate of an unknown authority is refused, and the error says why")
    func unknownAuthority() async throws {
        let answer = try await Origin().get { _ in }
        #expect(answer.error?.code == .certificate)
        #expect(answer.error?.detail.contains("CN=test-ca is not trusted") == true, "\(answer)")
        #expect(answer.attempts == 0)
    }

    @Test("a certificate for another name is refused, and the error says why")
    func otherName() async throws {
        let origin = try Origin()
        let (ca, port) = (origin.certificates.ca, origin.port)
        let shop = Authority(host: "shop.test", port: port)
        let answer = try await origin.get(host: "shop.test") {
            $0.caFile = ca
            $0.resolve = [shop: Endpoint(host: "127.0.0.1", port: port)]
        }
        #expect(answer.error?.code == .certificate)
        #expect(answer.error?.detail.contains("shop.test") == true, "\(answer)")
    }

    @Test("verification is left out for insecure hosts alone")
    func insecure() async throws {
        let origin = try Origin()
        let open = try await origin.get { $0.isInsecure = { $0.host == "127.0.0.1" } }
        #expect(open.status == 200)
        let closed = try await origin.get(host: "localhost") { $0.isInsecure = { $0.host == "127.0.0.1" } }
        #expect(closed.error?.code == .certificate)
        let all = try await origin.get { $0.verify = false }
        #expect(all.status == 200)
    }

    @Test("an unverified connection is not used for the same host once it is verified")
    func noMixedPool() async throws {
        let origin = try Origin()
        let port = origin.port
        try await withClient({ $0.isInsecure = { $0.host == "127.0.0.1" } }) { client in
            #expect(await client.perform(request(port: port, scheme: .https)).status == 200)
            #expect(
                await client.perform(request(port: port, host: "localhost", scheme: .https)).error?.code == .certificate
            )
            #expect(await client.perform(request(port: port, scheme: .https)).status == 200)
        }
    }

    @Test("an origin without TLS on that port is a TLS error")
    func plain() async throws {
        let server = RawServer { connection in
            _ = connection.readExactly(5)
            connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        defer { server.stop() }
        let answer = try await withClient { await $0.perform(request(port: server.port, scheme: .https)) }
        #expect(answer.error?.code == .tls, "\(answer)")
    }

    @Test("a peer that closes inside the handshake is a TLS error")
    func closedHandshake() async throws {
        let server = RawServer { connection in
            _ = connection.readExactly(5)
        }
        defer { server.stop() }
        let answer = try await withClient { await $0.perform(request(port: server.port, scheme: .https)) }
        #expect(answer.error?.code == .tls, "\(answer)")
    }

    @Test("a peer that is silent in the handshake is a connectTimeout")
    func silentHandshake() async throws {
        let server = RawServer { $0.readToEnd() }
        defer { server.stop() }
        let answer = try await withClient({ $0.connectTimeout = .milliseconds(200) }) {
            await $0.perform(request(port: server.port, scheme: .https))
        }
        #expect(answer.error?.code == .connectTimeout, "\(answer)")
    }

    /// A body without any framing is another matter: libcurl, like browsers, takes the end of the connection for its
    /// end there, with or without TLS's close_notify.
    @Test("a body with a length whose connection ends without TLS's own end is broken")
    func truncated() async throws {
        let origin = try Origin([])
        let (ca, port, program) = (origin.certificates.ca, origin.port, origin.program)
        try await withClient({ $0.caFile = ca }) { client in
            let exchange = client.start(request(port: port, scheme: .https))
            await client.loop.sleep(for: .milliseconds(300))
            program.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try await exchange.responseHead()
            while exchange.inbound.count < 4, try await exchange.receive() {}
            program.kill()
            await #expect(throws: UpstreamError(.bodyBroken, "")) { while try await exchange.receive() {} }
        }
    }
}

import EventLoop
import HTTP
import Telemetry
import Testing
import Upstream

/// What a parent really gets, byte for byte, and what becomes of its answers. The parent is a script.
@Suite(.timeLimit(.minutes(1)))
struct ParentRequestTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    /// A parent that answers every request head with `answer`.
    private func script(_ answer: String = ok) -> RawServer {
        RawServer { connection in
            while connection.readHead() != nil { connection.write(answer) }
        }
    }

    @Test func `a plain request goes out in absolute form with our credentials and nothing else of ours`() async throws
    {
        let server = script()
        defer { server.stop() }
        let answer = try await withClient({ $0.use(parent(port: server.port, "rig:p:w")) }) {
            await $0.perform(
                request(
                    port: 8080, host: "shop.test", target: "/a?b=%20",
                    fields: [("Host", "shop.test:8080"), ("X-One", "1"), ("Accept", "a/b")]))
        }
        #expect(answer.text == "hi", "\(answer)")
        #expect(
            server.received()
                == head(
                    "GET http://shop.test:8080/a?b=%20 HTTP/1.1", "Proxy-Authorization: Basic cmlnOnA6dw==",
                    "Host: shop.test:8080", "X-One: 1", "Accept: a/b"))
    }

    @Test(
        arguments: [
            (80, "/", "http://shop.test/"), (80, "*", "http://shop.test"), (81, "/?q", "http://shop.test:81/?q"),
        ] as [(UInt16, String, String)])
    func `the absolute form leaves the scheme's own port out`(port: UInt16, target: String, wanted: String) async throws
    {
        let server = script()
        defer { server.stop() }
        _ = try await withClient({ $0.use(parent(port: server.port)) }) {
            await $0.perform(request("OPTIONS", port: port, host: "shop.test", target: target))
        }
        #expect(server.received().hasPrefix("OPTIONS \(wanted) HTTP/1.1\r\n"))
    }

    @Test func `requests that go directly carry no credentials, whatever the handle did before`() async throws {
        let (server, origin) = (script(), script())
        defer { server.stop() }
        defer { origin.stop() }
        let through = parent(port: server.port, "rig:pw")
        let answers = try await withClient({ $0.parent = { $1.host == "shop.test" ? through : nil } }) { client in
            var texts: [String] = []
            for _ in 0..<3 {
                texts.append(await client.perform(request(port: 80, host: "shop.test")).text)
                texts.append(await client.perform(request(port: origin.port)).text)
            }
            return texts
        }
        #expect(answers == Array(repeating: "hi", count: 6))
        #expect(!origin.received().contains("Proxy-"))
        #expect(origin.received().hasPrefix("GET / HTTP/1.1\r\n"))
        #expect(server.received().components(of: "Proxy-Authorization") == 3)
        #expect((server.connections, origin.connections) == (1, 1))
    }

    @Test func `a body goes through, and an answer's body comes back`() async throws {
        let server = RawServer { connection in
            connection.readHead()
            _ = connection.readExactly(5)
            connection.write(Self.ok)
        }
        defer { server.stop() }
        let answer = try await withClient({ $0.use(parent(port: server.port)) }) {
            await $0.perform(
                request(
                    "POST", port: 80, host: "shop.test", fields: [("Host", "shop.test"), ("Content-Length", "5")],
                    framing: .length(5)), body: ["12345"])
        }
        #expect(answer.text == "hi")
        #expect(server.received().hasSuffix("\r\n\r\n12345"))
    }

    @Test func `a 407 of the parent is a fault that names the parent`() async throws {
        let server = script("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let error = try await withClient({ $0.use(parent(port: server.port, "rig:secret")) }) {
            await $0.perform(request(port: 80, host: "shop.test")).error
        }
        #expect(error?.code == .parentDenied)
        #expect(
            error?.detail
                == "The parent proxy http://127.0.0.1:\(server.port) does not accept our credentials: status 407.")
        #expect(server.connections == 1)
    }

    @Test(arguments: [(403, UpstreamError.Code.parentRefused), (502, .parentRefused), (407, .parentDenied)])
    func `a refused CONNECT is a fault with the parent's status`(status: Int, code: UpstreamError.Code) async throws {
        let server = script("HTTP/1.1 \(status) No\r\nContent-Length: 3\r\n\r\nno!")
        defer { server.stop() }
        let error = try await withClient {
            $0.use(parent(port: server.port, "rig:secret"))
            $0.viaName = "me"
        } _: {
            await $0.perform(request(port: 443, host: "shop.test", scheme: .https)).error
        }
        #expect(error?.code == code)
        #expect(error?.detail.hasSuffix("status \(status).") == true, "\(error as Any)")
        #expect(error?.detail.contains("secret") == false)
        #expect(
            server.received()
                == head(
                    "CONNECT shop.test:443 HTTP/1.1", "Host: shop.test:443",
                    "Proxy-Authorization: Basic cmlnOnNlY3JldA==", "Proxy-Connection: Keep-Alive", "Via: 1.1 me"))
    }

    @Test func `a parent that is not there, or closes, is a fault of the parent`() async throws {
        let closed = freePort()
        let gone = try await withClient({ $0.use(parent(port: closed)) }) {
            await $0.perform(request(port: 80, host: "shop.test")).error
        }
        #expect(gone?.code == .refused)
        #expect(gone?.detail == "The parent proxy http://127.0.0.1:\(closed) cannot be reached.")
        let server = RawServer { $0.readHead() }
        defer { server.stop() }
        let ended = try await withClient({ $0.use(parent(port: server.port)) }) {
            await $0.perform(request(port: 443, host: "shop.test", scheme: .https)).error
        }
        #expect(ended?.code == .parentRefused, "\(ended as Any)")
        #expect(ended?.detail.contains("ended the connection during CONNECT") == true)
    }

    @Test func `an endpoint of its own is asked for by CONNECT, also for plain requests`() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 ok\r\n\r\n")
            connection.readHead()
            connection.write(Self.ok)
        }
        defer { server.stop() }
        let answer = try await withClient {
            $0.use(parent(port: server.port))
            $0.resolve = [Authority(host: "shop.test", port: 80): Endpoint(host: "10.0.0.7", port: 8080)]
        } _: {
            await $0.perform(request(port: 80, host: "shop.test", target: "/x"))
        }
        #expect(answer.text == "hi", "\(answer)")
        #expect(server.received().hasPrefix("CONNECT 10.0.0.7:8080 HTTP/1.1\r\n"))
        #expect(server.received().contains("\r\n\r\nGET /x HTTP/1.1\r\nHost: shop.test:80\r\n"))
    }

    @Test func `an upgrade goes through CONNECT, and both directions end on their own`() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 ok\r\n\r\n")
            connection.readHead()
            connection.write(
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst")
            connection.write("|" + connection.readToEnd())
        }
        defer { server.stop() }
        let text = try await withClient({ $0.use(parent(port: server.port)) }) { client in
            var upgrade = request(
                port: 80, host: "shop.test",
                fields: [("Host", "shop.test"), ("Connection", "Upgrade"), ("Upgrade", "websocket")])
            upgrade.upgrade = true
            let exchange = client.start(upgrade)
            try await exchange.responseHead()
            #expect(exchange.head.status == 101)
            exchange.sendBody(Array("up".utf8).span)
            exchange.finishBody()
            while try await exchange.receive() {}
            return exchange.inbound.withUnsafeBufferPointer { latin1($0) }
        }
        #expect(text == "first|up")
    }

    @Test func `what the rules forbid behind a parent never reaches it`() async throws {
        let server = script()
        defer { server.stop() }
        let errors = try await withClient {
            $0.use(parent(port: server.port))
            $0.judgeBehindParent = { target, told, _ in
                target.host == "bad.test" || told.host == "10.9.9.9" ? "a rule" : nil
            }
            $0.resolve = [Authority(host: "moved.test", port: 80): Endpoint(host: "10.9.9.9", port: 80)]
            $0.judgeDestination = { _, _ in "only asked about addresses that we connect ourselves" }
        } _: { client in
            var errors: [UpstreamError.Code?] = []
            for host in ["bad.test", "moved.test", "good.test"] {
                errors.append(await client.perform(request(port: 80, host: host)).error?.code)
            }
            return errors
        }
        #expect(errors == [.destinationProhibited, .destinationProhibited, nil])
        #expect(server.connections == 1)
    }

    @Test func `a parent that is the proxy itself is not connected`() async throws {
        let server = script()
        defer { server.stop() }
        let error = try await withClient {
            $0.use(parent(port: server.port))
            $0.judgeParent = { _ in "the parent proxy is this proxy itself" }
        } _: {
            await $0.perform(request(port: 80, host: "shop.test")).error
        }
        #expect(error?.code == .destinationProhibited)
        #expect(server.connections == 0)
    }

    @Test func `clear text for private peers alone goes to literal private addresses alone`() async throws {
        let server = script()
        defer { server.stop() }
        let codes = try await withClient({ $0.use(parent(port: server.port)) }) { client in
            var codes: [UpstreamError.Code?] = []
            for host in ["10.0.0.1", "192.0.2.1", "shop.test"] {
                var request = request(port: 80, host: host)
                request.requiresPrivatePeer = true
                codes.append(await client.perform(request).error?.code)
            }
            return codes
        }
        #expect(codes == [nil, .clearTextRefused, .clearTextRefused])
        #expect(server.connections == 1)
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}

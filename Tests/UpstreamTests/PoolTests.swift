import EventLoop
import HTTP
import Testing
import Upstream

/// Connections are used again, and only while they are whole.
@Suite struct PoolTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func keepAlive() -> RawServer {
        RawServer { connection in
            while connection.readHead() != nil { connection.write(Self.ok) }
        }
    }

    @Test("requests one after the other share a connection")
    func reuse() async throws {
        let server = keepAlive()
        defer { server.stop() }
        try await withClient { client in
            for _ in 0..<50 { #expect(await client.perform(request(port: server.port)).text == "ok") }
        }
        #expect(server.connections == 1)
    }

    @Test("GET, HEAD, POST and chunked PUT on one handle and connection do not colour each other")
    func shapes() async throws {
        let server = RawServer { connection in
            while let head = connection.readHead() {
                if head.contains("Content-Length: 3") { _ = connection.readExactly(3) }
                if head.contains("chunked") { _ = connection.readThrough("0\r\n\r\n") }
                connection.write(head.hasPrefix("HEAD") ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" : Self.ok)
            }
        }
        defer { server.stop() }
        var expected = ""
        try await withClient { client in
            let plain = [("Host", "h")]
            let length = [("Host", "h"), ("Content-Length", "3")]
            for _ in 0..<3 {
                #expect(await client.perform(request("HEAD", port: server.port, fields: plain)).body.isEmpty)
                #expect(await client.perform(request("GET", port: server.port, fields: plain)).text == "ok")
                let post = request("POST", port: server.port, fields: length, framing: .length(3))
                #expect(await client.perform(post, body: ["abc"]).text == "ok")
                let put = request("PUT", port: server.port, fields: plain, framing: .chunked)
                #expect(await client.perform(put, body: ["de"]).text == "ok")
                #expect(await client.perform(request("DELETE", port: server.port, fields: plain)).text == "ok")
            }
        }
        for _ in 0..<3 {
            expected += head("HEAD / HTTP/1.1", "Host: h") + head("GET / HTTP/1.1", "Host: h")
            expected += head("POST / HTTP/1.1", "Host: h", "Content-Length: 3") + "abc"
            expected += head("PUT / HTTP/1.1", "Host: h", "Transfer-Encoding: chunked") + "2\r\nde\r\n0\r\n\r\n"
            expected += head("DELETE / HTTP/1.1", "Host: h")
        }
        #expect(server.received() == expected)
        #expect(server.connections == 1)
    }

    /// A server whose first connection answers once and dies on the second request, as one does that timed out.
    private func dying() -> RawServer {
        RawServer { connection in
            guard let head = connection.readHead() else { return }
            if head.contains("Content-Length: 3") { guard connection.readExactly(3) != nil else { return } }
            connection.write(Self.ok)
            guard connection.readHead() != nil else { return }
            if connection.number == 1 { return connection.reset() }
            connection.write(Self.ok)
        }
    }

    @Test("a GET on a pooled connection that died is sent again on a new one")
    func resend() async throws {
        let server = dying()
        defer { server.stop() }
        try await withClient { client in
            #expect(await client.perform(request(port: server.port)).text == "ok")
            let second = await client.perform(request(port: server.port))
            #expect(second.text == "ok")
            #expect(second.attempts == 2)
        }
        #expect(server.connections == 2)
    }

    @Test("every GET on a pooled connection that died is sent again, also after many of them")
    func resendAlways() async throws {
        let server = RawServer { connection in
            guard connection.readHead() != nil else { return }
            connection.write(Self.ok)
            if connection.readHead() != nil { connection.reset() }
        }
        defer { server.stop() }
        try await withClient { client in
            for _ in 0..<30 { #expect(await client.perform(request(port: server.port)).text == "ok") }
        }
        #expect(server.connections == 30)
    }

    @Test("what is wrong with the answer on the new connection is told, not how the old one died")
    func errorOfResend() async throws {
        let server = RawServer { connection in
            guard connection.readHead() != nil else { return }
            if connection.number > 1 { return connection.write("HTTP/1.1 200 OK\r\nno colon\r\n\r\n") }
            connection.write(Self.ok)
            if connection.readHead() != nil { connection.reset() }
        }
        defer { server.stop() }
        try await withClient { client in
            #expect(await client.perform(request(port: server.port)).text == "ok")
            let second = await client.perform(request(port: server.port))
            #expect(second.attempts == 2)
            #expect(second.error?.code == .malformedResponse)
            #expect(second.error.map { !"\($0)".contains("reset") } == true, "\(second)")
        }
    }

    @Test("a POST on a pooled connection that died is not sent again", arguments: [true, false])
    func noResend(withBody: Bool) async throws {
        let server = dying()
        defer { server.stop() }
        try await withClient { client in
            #expect(await client.perform(request(port: server.port)).text == "ok")
            let fields = [("Host", "h"), ("Content-Length", withBody ? "3" : "0")]
            let post = request("POST", port: server.port, fields: fields, framing: .length(withBody ? 3 : 0))
            let second = await client.perform(post, body: withBody ? ["abc"] : [])
            #expect(second.error?.code == .resendRefused, "\(second)")
            #expect(second.error?.mayRetry == false)
        }
        #expect(!server.received(2).contains("POST"))
    }

    @Test(
        "a connection that has rested for two seconds serves a GET, while a POST takes a new one",
        arguments: [("GET", 1), ("POST", 2)])
    func restedConnection(method: String, connections: Int) async throws {
        let server = RawServer { connection in
            while connection.readHead() != nil { connection.write(Self.ok) }
        }
        defer { server.stop() }
        try await withClient { client in
            #expect(await client.perform(request("GET", port: server.port)).text == "ok")
            #expect(await client.perform(request("GET", port: server.port)).text == "ok")
            #expect(server.connections == 1)
            await client.loop.sleep(for: .milliseconds(2100))
            #expect(await client.perform(request(method, port: server.port)).text == "ok")
        }
        #expect(server.connections == connections)
    }

    @Test("a PUT whose body is gone is not sent again half")
    func noHalfResend() async throws {
        let server = dying()
        defer { server.stop() }
        try await withClient { client in
            #expect(await client.perform(request(port: server.port)).text == "ok")
            let fields = [("Host", "h"), ("Content-Length", "3")]
            let put = request("PUT", port: server.port, fields: fields, framing: .length(3))
            let second = await client.perform(put, body: ["abc"])
            // Either libcurl had not taken the body yet and sends all of it, or it may not send again.
            if second.error == nil {
                #expect(server.received(2).hasSuffix("abc"))
            } else {
                #expect(second.error?.code == .resendRefused, "\(second)")
                #expect(!server.received(2).contains("PUT"))
            }
        }
    }

    @Test("a cancelled exchange's connection is closed, not pooled", arguments: 0..<4)
    func cancel(stage: Int) async throws {
        let server = RawServer { connection in
            guard connection.readHead() != nil else { return }
            if connection.number > 1 { return connection.write(Self.ok) }
            if stage >= 1 { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n") }
            if stage >= 2 { connection.write("\r\n") }
            if stage >= 3 { connection.write("half") }
            connection.readToEnd()
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(request(port: server.port))
            if stage >= 2 { try await exchange.responseHead() }
            if stage >= 3 { _ = try await exchange.receive() }
            await client.loop.sleep(for: .milliseconds(30))
            exchange.cancel()
            exchange.cancel()
            await #expect(throws: UpstreamError(.cancelled, "")) { while try await exchange.receive() {} }
            let answer = await client.perform(request(port: server.port))
            #expect(answer.text == "ok", "\(answer)")
        }
        #expect(server.connections == 2)
    }

    @Test("letting go of an exchange cancels it")
    func letGo() async throws {
        let server = RawServer { connection in
            guard connection.readHead() != nil else { return }
            if connection.number == 1 {
                connection.readToEnd()
            } else {
                connection.write(Self.ok)
            }
        }
        defer { server.stop() }
        try await withClient { client in
            do { _ = client.start(request(port: server.port)) }
            #expect(await client.perform(request(port: server.port)).text == "ok")
        }
    }

    @Test("an exchange cancelled while somebody waits wakes him with the reason")
    func cancelWhileWaiting() async throws {
        let server = RawServer { $0.readToEnd() }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(request(port: server.port))
            nonisolated(unsafe) let shared = exchange
            client.loop.execute { shared.cancel() }
            await #expect(throws: UpstreamError(.cancelled, "")) { try await exchange.responseHead() }
        }
    }

    @Test("cancelling from inside onInterim, and starting another request there, is safe")
    func cancelInside() async throws {
        let server = RawServer { connection in
            guard connection.readHead() != nil else { return }
            if connection.number == 1 {
                connection.write("HTTP/1.1 103 Early Hints\r\n\r\n")
                connection.readToEnd()
            } else {
                connection.write(Self.ok)
            }
        }
        defer { server.stop() }
        try await withClient { client in
            var first: Exchange?
            var second: Exchange?
            first = client.start(request(port: server.port)) { _ in
                first?.cancel()
                second = client.start(request(port: server.port))
            }
            #expect(await eventually(client.loop) { second != nil })
            try await second?.responseHead()
            #expect(second?.head.status == 200)
        }
    }

    @Test("shutting down inside onInterim ends everything once")
    func shutdownInside() async throws {
        let server = RawServer { connection in
            guard connection.readHead() != nil else { return }
            connection.write("HTTP/1.1 103 Early Hints\r\n\r\n")
            connection.readToEnd()
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(request(port: server.port)) { _ in client.shutdown() }
            await #expect(throws: UpstreamError(.cancelled, "")) { try await exchange.responseHead() }
            #expect(await client.perform(request(port: server.port)).error?.code == .cancelled)
        }
    }

    @Test("a pooled connection that the origin closed is noticed without a request, and replaced")
    func closedWhileIdle() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write(Self.ok)
        }
        defer { server.stop() }
        try await withClient { client in
            for round in 1...5 {
                let answer = await client.perform(request("POST", port: server.port))
                #expect(answer.text == "ok", "\(answer)")
                while server.closedConnections < round { await client.loop.sleep(for: .milliseconds(1)) }
                // A loop that wakes late runs its timers before it looks at its sockets: the second sleep has seen the end.
                for _ in 0..<2 { await client.loop.sleep(for: .milliseconds(1)) }
            }
        }
        #expect(server.connections == 5)
    }

    @Test("unused connections are closed after a while though no request comes")
    func idle() async throws {
        let ended = Ended()
        let server = RawServer { connection in
            while connection.readHead() != nil { connection.write(Self.ok) }
            ended.set()
        }
        defer { server.stop() }
        try await withClient({ $0.idlePool = .seconds(1) }) { client in
            #expect(await client.perform(request(port: server.port)).text == "ok")
            #expect(await eventually(client.loop) { ended.isSet })
        }
    }

    @Test("a hundred exchanges at once all get their own answer")
    func concurrent() async throws {
        let server = RawServer { connection in
            while let head = connection.readHead() {
                let path = head.split(separator: " ")[1]
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
            }
        }
        defer { server.stop() }
        try await withClient { client in
            for _ in 0..<5 {
                let exchanges = (0..<100).map { client.start(request(port: server.port, target: "/\($0)")) }
                for (index, exchange) in exchanges.enumerated() {
                    try await exchange.responseHead()
                    var body: [UInt8] = []
                    repeat { exchange.take(into: &body) } while try await exchange.receive()
                    #expect(latin1(body) == "/\(index)")
                }
            }
        }
        #expect(server.connections <= 100)
    }
}

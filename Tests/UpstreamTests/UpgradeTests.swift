import EventLoop
import HTTP
import Testing
import Upstream

/// A 101 turns the exchange into a byte pipe.
@Suite(.timeLimit(.minutes(1))) struct UpgradeTests {
    private func upgrade(port: UInt16) -> OutboundRequest {
        var upgrade = request(port: port, fields: [("Host", "h"), ("Connection", "Upgrade"), ("Upgrade", "websocket")])
        upgrade.upgrade = true
        return upgrade
    }

    private static let switching =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"

    @Test("bytes go both ways after the 101, those included that came with it, and nothing goes out before it")
    func pipe() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write(Self.switching + "hello")
            while let line = connection.readThrough("\n") { connection.write("<\(line)") }
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(upgrade(port: server.port))
            exchange.sendBody(Array("early\n".utf8).span)
            try await exchange.responseHead()
            #expect(exchange.head.status == 101)
            var bytes: [UInt8] = []
            while bytes.count < 12, try await exchange.receive() { exchange.take(into: &bytes) }
            exchange.take(into: &bytes)
            #expect(latin1(bytes) == "hello<early\n")
            for number in 0..<20 {
                exchange.sendBody(Array("line \(number)\n".utf8).span)
                var echo: [UInt8] = []
                while echo.last != UInt8(ascii: "\n"), try await exchange.receive() { exchange.take(into: &echo) }
                #expect(latin1(echo) == "<line \(number)\n")
            }
            exchange.finishBody()
            #expect(try await exchange.receive() == false)
        }
        #expect(
            server.received().hasPrefix(
                head("GET / HTTP/1.1", "Host: h", "Connection: Upgrade", "Upgrade: websocket") + "early\n"))
    }

    @Test("the origin's end is told while our side is still open, and our bytes still arrive")
    func originEndsFirst() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write(Self.switching + "bye")
            connection.finish()
            connection.readToEnd()
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(upgrade(port: server.port))
            try await exchange.responseHead()
            var bytes: [UInt8] = []
            while try await exchange.receive() { exchange.take(into: &bytes) }
            exchange.take(into: &bytes)
            #expect(latin1(bytes) == "bye")
            exchange.sendBody(Array("late".utf8).span)
            exchange.finishBody()
            #expect(await eventually(client.loop) { server.received().hasSuffix("late") })
        }
    }

    @Test("our end reaches the origin as the end, and its bytes still arrive")
    func weEndFirst() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write(Self.switching)
            let all = connection.readToEnd()
            connection.write("got \(all)")
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(upgrade(port: server.port))
            try await exchange.responseHead()
            exchange.sendBody(Array("all".utf8).span)
            exchange.finishBody()
            var bytes: [UInt8] = []
            repeat { exchange.take(into: &bytes) } while try await exchange.receive()
            #expect(latin1(bytes) == "got all")
        }
    }

    @Test("an origin that answers otherwise gives a plain response", arguments: ["200 OK", "426 Upgrade Required"])
    func declined(status: String) async throws {
        let server = RawServer { connection in
            while connection.readHead() != nil {
                connection.write("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nno")
            }
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(upgrade(port: server.port))
            try await exchange.responseHead()
            var bytes: [UInt8] = []
            repeat { exchange.take(into: &bytes) } while try await exchange.receive()
            #expect(latin1(bytes) == "no")
            #expect(exchange.isComplete)
        }
        #expect(server.received() == head("GET / HTTP/1.1", "Host: h", "Connection: Upgrade", "Upgrade: websocket"))
    }

    @Test("a reset of the pipe is not a clean end")
    func reset() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write(Self.switching + "x")
            _ = connection.readExactly(1)
            connection.reset()
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(upgrade(port: server.port))
            try await exchange.responseHead()
            exchange.sendBody([1].span)
            await #expect(throws: UpstreamError(.bodyBroken, "")) { while try await exchange.receive() {} }
        }
    }

    @Test("a cancelled pipe is closed")
    func cancel() async throws {
        let ended = Ended()
        let server = RawServer { connection in
            connection.readHead()
            connection.write(Self.switching)
            connection.readToEnd()
            ended.set()
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(upgrade(port: server.port))
            try await exchange.responseHead()
            exchange.cancel()
            #expect(await eventually(client.loop) { ended.isSet })
        }
    }
}

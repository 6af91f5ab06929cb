import EventLoop
import Foundation
import HTTP
import Testing
import Upstream

/// Bodies flow both ways while they come, and no side is buffered without bound.
@Suite(.timeLimit(.minutes(1))) struct StreamingTests {
    @Test(
        "a download that nobody takes stops at the watermark, and goes on when it is taken", arguments: [false, true])
    func downloadPauses(chunked: Bool) async throws {
        let total = 20_000_000
        let block = [UInt8](repeating: UInt8(ascii: "d"), count: 100_000)
        let server = RawServer { connection in
            connection.readHead()
            if chunked {
                connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<(total / block.count) {
                    connection.write("186A0\r\n")
                    connection.write(block)
                    connection.write("\r\n")
                }
                connection.write("0\r\n\r\n")
            } else {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
                for _ in 0..<(total / block.count) { connection.write(block) }
            }
            connection.readToEnd()
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(request(port: server.port))
            try await exchange.responseHead()
            await client.loop.sleep(for: .milliseconds(200))
            let held = exchange.inbound.count
            #expect(held >= client.configuration.inboundHighWatermark)
            #expect(held < client.configuration.inboundHighWatermark + 100_000)
            var count = 0
            repeat {
                count += exchange.inbound.count
                exchange.consume(exchange.inbound.count)
            } while try await exchange.receive()
            #expect(count == total)
        }
    }

    @Test("who asks for more without taking anything gets more, over the watermark too")
    func moreOverWatermark() async throws {
        let total = 3_000_000
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
            connection.write([UInt8](repeating: 1, count: total))
            connection.readToEnd()
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(request(port: server.port))
            while try await exchange.receive() {}
            #expect(exchange.inbound.count == total)
        }
    }

    @Test("an upload to an origin that does not read stops at the watermark", arguments: [false, true])
    func uploadPauses(chunked: Bool) async throws {
        let total = 30_000_003
        let go = Ended()
        let server = RawServer { connection in
            connection.readHead()
            while !go.isSet { usleep(5000) }
            let count = connection.skipThrough(chunked ? "\r\n0\r\n\r\n" : "END")
            #expect(chunked ? count > total : count == total)
            connection.write("HTTP/1.1 204 No Content\r\n\r\n")
        }
        defer { server.stop() }
        try await withClient { client in
            let fields = chunked ? [("Host", "h")] : [("Host", "h"), ("Content-Length", "\(total)")]
            let put = request(
                "PUT", port: server.port, fields: fields, framing: chunked ? .chunked : .length(UInt64(total)))
            let exchange = client.start(put)
            let block = [UInt8](repeating: UInt8(ascii: "u"), count: 50_000)
            var sent = 0
            var lastProgress = client.loop.now
            while sent < total - 3 {
                if exchange.isCongested {
                    if !go.isSet, client.loop.now - lastProgress > .milliseconds(300) {
                        #expect(sent < 12_000_000)  // what fits the kernel's buffers and our queue
                        go.set()
                    }
                    if go.isSet {
                        try await exchange.bodyDrained()
                    } else {
                        await client.loop.sleep(for: .milliseconds(10))
                    }
                    continue
                }
                exchange.sendBody(block.span)
                sent += block.count
                lastProgress = client.loop.now
            }
            exchange.sendBody(Array("END".utf8).span)
            exchange.finishBody()
            try await exchange.responseHead()
            #expect(exchange.head.status == 204)
            #expect(go.isSet)
        }
    }

    @Test("each piece of a body reaches the origin before the next is sent, and each event comes as it is sent")
    func interleaved() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<5 {
                guard let piece = connection.readThrough("!") else { return }
                let event = piece.contains("ping") ? "5\r\npong!\r\n" : "1\r\n?\r\n"
                connection.write(event)
            }
            _ = connection.readThrough("0\r\n\r\n")
            connection.write("0\r\n\r\n")
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(request("POST", port: server.port, fields: [("Host", "h")], framing: .chunked))
            try await exchange.responseHead()
            for _ in 0..<5 {
                exchange.sendBody(Array("ping!".utf8).span)
                var body: [UInt8] = []
                while body.count < 5, try await exchange.receive() { exchange.take(into: &body) }
                #expect(latin1(body) == "pong!")
            }
            exchange.finishBody()
            #expect(try await exchange.receive() == false)
            #expect(exchange.isComplete)
        }
    }

    @Test("with Expect: 100-continue the body waits for the sender alone, and the 100 is relayed")
    func expectContinue() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            _ = connection.readExactly(5)
            connection.write("HTTP/1.1 204 No Content\r\n\r\n")
        }
        defer { server.stop() }
        try await withClient { client in
            let fields = [("Host", "h"), ("Expect", "100-continue"), ("Content-Length", "5")]
            var interims: [Int] = []
            let exchange = client.start(request("POST", port: server.port, fields: fields, framing: .length(5))) {
                interims.append($0.status)
            }
            #expect(await eventually(client.loop) { interims == [100] })
            #expect(
                server.received() == head("POST / HTTP/1.1", "Host: h", "Expect: 100-continue", "Content-Length: 5"))
            exchange.sendBody(Array("hello".utf8).span)
            exchange.finishBody()
            try await exchange.responseHead()
            #expect(exchange.head.status == 204)
        }
    }

    @Test("a 417 is relayed with its body and the request is not sent again")
    func expectationFailed() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 4\r\n\r\nnope")
            connection.readToEnd()
        }
        defer { server.stop() }
        try await withClient { client in
            let fields = [("Host", "h"), ("Expect", "100-continue"), ("Content-Length", "5")]
            let exchange = client.start(request("POST", port: server.port, fields: fields, framing: .length(5)))
            try await exchange.responseHead()
            #expect(exchange.head.status == 417)
            var body: [UInt8] = []
            repeat { exchange.take(into: &body) } while try await exchange.receive()
            #expect(latin1(body) == "nope")
            #expect(exchange.attempts == 1)
            await client.loop.sleep(for: .milliseconds(50))
        }
        #expect(server.connections == 1)
        #expect(server.received().components(separatedBy: "POST").count == 2)
    }

    @Test("an early error answer ends the exchange though the body is still going up", arguments: [403, 500])
    func earlyAnswer(status: Int) async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 \(status) No\r\nContent-Length: 2\r\n\r\nno")
            connection.readToEnd()
        }
        defer { server.stop() }
        try await withClient { client in
            let fields = [("Host", "h"), ("Content-Length", "5000000")]
            let exchange = client.start(request("POST", port: server.port, fields: fields, framing: .length(5_000_000)))
            exchange.sendBody([UInt8](repeating: 1, count: 100_000).span)
            try await exchange.responseHead()
            var body: [UInt8] = []
            repeat { exchange.take(into: &body) } while try await exchange.receive()
            #expect(latin1(body) == "no")
            exchange.sendBody([1, 2, 3].span)  // dropped
            try await exchange.bodyDrained()
            exchange.finishBody()
        }
    }

    @Test("an early 202 is there while the body is still going up; cancelling ends the attempt")
    func earlyChallenge() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 202 Accepted\r\nx-amzn-waf-action: challenge\r\nContent-Length: 0\r\n\r\n")
            connection.readToEnd()
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(request("POST", port: server.port, fields: [("Host", "h")], framing: .chunked))
            exchange.sendBody([1, 2, 3].span)
            try await exchange.responseHead()
            #expect(exchange.head.status == 202)
            exchange.cancel()
            await #expect(throws: UpstreamError(.cancelled, "")) { try await exchange.bodyDrained() }
        }
    }

    @Test("a body that ends short of its length never looks whole to the origin")
    func shortBody() async throws {
        let server = RawServer { connection in
            connection.readHead()
            if connection.readExactly(5) != nil { connection.write("HTTP/1.1 204 No Content\r\n\r\n") }
        }
        defer { server.stop() }
        let answer = try await withClient { client in
            let fields = [("Host", "h"), ("Content-Length", "5")]
            return await client.perform(
                request("POST", port: server.port, fields: fields, framing: .length(5)), body: ["abc"])
        }
        #expect(answer.error?.code == .cancelled)
    }
}

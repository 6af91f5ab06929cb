import EventLoop
import Foundation
import HTTP
import Testing
import Upstream

/// Answers that come, and end, before the body of the request has.
@Suite(.timeLimit(.minutes(1))) struct EarlyAnswerTests {
    private static func server(_ answer: String, _ rest: @escaping @Sendable (String?) -> Void = { _ in }) -> RawServer
    {
        RawServer { connection in
            connection.readHead()
            connection.write(answer)
            rest(connection.readThrough("0\r\n\r\n"))
        }
    }

    @Test(
        "the answer is whole while the upload waits, the loop is free, and the origin gets the rest",
        arguments: [
            "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n",
        ])
    func early(answer: String) async throws {
        let isWhole = Ended()
        let server = Self.server(answer) { body in
            if let body, body.contains("abc"), body.contains("def") { isWhole.set() }
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(request("POST", port: server.port, fields: [("Host", "h")], framing: .chunked))
            exchange.sendBody(Array("abc".utf8).span)
            try await exchange.responseHead()
            // Each look of libcurl at a paused upload must not cause the next one.
            for _ in 0..<10 { await client.loop.sleep(for: .milliseconds(5)) }
            var body: [UInt8] = []
            repeat { exchange.take(into: &body) } while try await exchange.receive()
            #expect(latin1(body) == (answer.contains("ok") ? "ok" : ""))
            #expect(lines(of: exchange.trailers) == (answer.contains("X-Sum") ? ["X-Sum: 1"] : []))
            exchange.sendBody(Array("def".utf8).span)
            exchange.finishBody()
            try await exchange.finished()
            #expect(exchange.isComplete)
            #expect(await eventually(client.loop) { isWhole.isSet })
        }
    }

    @Test("an origin that takes no more of the body and does not answer is one that does not answer in time")
    func stalledUpload() async throws {
        let over = Ended()
        let server = RawServer { connection in
            connection.readHead()
            while !over.isSet { usleep(5000) }
        }
        defer {
            over.set()
            server.stop()
        }
        try await withClient({ $0.responseHeadTimeout = .milliseconds(300) }) { client in
            let size = 50_000_000
            let exchange = client.start(
                request(
                    "PUT", port: server.port, fields: [("Host", "h"), ("Content-Length", "\(size)")],
                    framing: .length(UInt64(size))))
            let block = [UInt8](repeating: 1, count: 1_000_000)
            let error = await #expect(throws: UpstreamError.self) {
                for _ in 0..<50 {
                    exchange.sendBody(block.span)
                    try await exchange.bodyDrained()
                }
            }
            #expect(error?.code == .responseTimeout)
        }
    }

    @Test("where silence is limited, a body that falls silent ends the exchange, and one that goes on does not")
    func silence() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            for _ in 0..<5 {
                connection.write("x")
                usleep(500_000)
            }
            connection.readToEnd()
        }
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(request(port: server.port))
            try await exchange.responseHead()
            exchange.limitSilence(to: .seconds(2))
            var body: [UInt8] = []
            let error = await #expect(throws: UpstreamError.self) {
                repeat { exchange.take(into: &body) } while try await exchange.receive()
            }
            #expect(error?.code == .responseTimeout)
            #expect(latin1(body) == "xxxxx")
        }
    }
}

import EventLoop
import Testing
import Upstream

@testable import HTTP

/// What the origin answers reaches the receiving task whole, or breaks visibly.
@Suite struct ResponseTests {
    /// A server that answers the first request of every connection with `text` and closes.
    private func answering(_ text: String, reset: Bool = false) -> RawServer {
        RawServer { connection in
            guard connection.readHead() != nil else { return }
            connection.write(text)
            if reset { connection.reset() }
        }
    }

    private func answer(_ text: String, method: String = "GET", reset: Bool = false) async throws -> Answer {
        let server = answering(text, reset: reset)
        defer { server.stop() }
        return try await withClient { await $0.perform(request(method, port: server.port)) }
    }

    @Test("a small answer is complete when its head is there: the task waits once")
    func smallAnswer() async throws {
        let server = answering("HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 5\r\n\r\nhello")
        defer { server.stop() }
        try await withClient { client in
            let exchange = client.start(request(port: server.port))
            try await exchange.responseHead()
            #expect(exchange.isComplete)
            var body: [UInt8] = []
            exchange.take(into: &body)
            #expect(latin1(body) == "hello")
            #expect(try await exchange.receive() == false)
            #expect(exchange.peerAddress?.isLoopback == true)
            #expect(exchange.peerAddress?.port == server.port)
        }
    }

    @Test("a body without framing ends with the connection")
    func untilClose() async throws {
        let answer = try await answer("HTTP/1.1 200 OK\r\n\r\nall of it")
        #expect(answer.text == "all of it")
        #expect(answer.error == nil)
    }

    @Test("a chunked body arrives de-chunked, with its trailers")
    func chunked() async throws {
        let answer = try await answer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n"
                + "3\r\nabc\r\n5;ext=1\r\ndefgh\r\n0\r\nX-T: one\r\nX-U:two \r\n\r\n")
        #expect(answer.text == "abcdefgh")
        #expect(answer.trailers == ["X-T: one", "X-U: two"])
        #expect(answer.error == nil)
    }

    @Test("a content coding is not decoded")
    func coding() async throws {
        let answer = try await answer("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nxyz")
        #expect(answer.text == "xyz")
        #expect(answer.fields == ["Content-Encoding: gzip", "Content-Length: 3"])
    }

    @Test("a redirect is handed on, not followed")
    func redirect() async throws {
        let answer = try await answer("HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")
        #expect(answer.status == 302)
        #expect(answer.attempts == 1)
    }

    @Test("a 401 and a 407 are handed on, not answered")
    func authentication() async throws {
        for status in [401, 407] {
            let text = "HTTP/1.1 \(status) No\r\nWWW-Authenticate: Basic\r\nContent-Length: 2\r\n\r\nno"
            let answer = try await answer(text)
            #expect(answer.status == status)
            #expect(answer.text == "no")
        }
    }

    @Test("HEAD, 204 and 304 have no body, whatever their fields say, and the connection stays usable")
    func noBody() async throws {
        for (method, status) in [("HEAD", "200 OK"), ("GET", "304 Not Modified"), ("GET", "204 No Content")] {
            let server = RawServer { connection in
                while connection.readHead() != nil {
                    connection.write(
                        "HTTP/1.1 \(status)\r\n\(status.hasPrefix("204") ? "" : "Content-Length: 1000\r\n")\r\n")
                }
            }
            defer { server.stop() }
            try await withClient { client in
                for _ in 0..<3 {
                    let answer = await client.perform(request(method, port: server.port))
                    #expect(answer.status == Int(status.prefix(3)))
                    #expect(answer.body.isEmpty && answer.error == nil)
                }
            }
            #expect(server.connections == 1)
        }
    }

    @Test("interim answers are relayed in order before the final one")
    func interims() async throws {
        let answer = try await answer(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        #expect(answer.interims == [100, 103])
        #expect(answer.status == 200)
        #expect(answer.fields == ["Content-Length: 2"])
        #expect(answer.text == "ok")
    }

    @Test("interim answers take as much memory as they are long, also after a large one")
    func smallInterims() async throws {
        let large = "HTTP/1.1 103 Early Hints\r\nLink: \(String(repeating: "x", count: 60_000))\r\n\r\n"
        let small = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 100)
        let server = answering(large + small + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        try await withClient { client in
            var sizes: [Int] = []
            let exchange = client.start(request(port: server.port)) { sizes.append($0.fields.bytes.capacity) }
            try await exchange.responseHead()
            #expect(sizes.count == 101 && sizes.dropFirst().allSatisfy { $0 < 1000 }, "\(sizes)")
        }
    }

    @Test("a 101 that nobody asked for is malformed")
    func unasked101() async throws {
        let answer = try await answer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nbytes")
        #expect(answer.error?.code == .malformedResponse)
    }

    @Test(
        "a body that breaks off is never a clean end",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n6\r\nun",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\nun",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\nX y: z\r\n\r\n",
        ])
    func brokenBody(text: String) async throws {
        let answer = try await answer(text)
        #expect(answer.status == 200)
        #expect(answer.text.hasPrefix("half"))
        #expect(answer.error?.code == .bodyBroken)
    }

    @Test("a reset in a body without framing is not its end")
    func resetBody() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\n\r\nhalf")
            _ = connection.readExactly(1)
            connection.reset()
        }
        defer { server.stop() }
        try await withClient { client in
            var post = request("POST", port: server.port, framing: .length(2))
            post.fields.append("Content-Length", "2")
            let exchange = client.start(post)
            try await exchange.responseHead()
            exchange.sendBody([UInt8(ascii: "x")].span)
            await #expect(throws: UpstreamError(.bodyBroken, "")) {
                while try await exchange.receive() {}
            }
        }
    }

    @Test(
        "a connection that ends before the head is whole is closedEarly",
        arguments: ["", "HTTP/1.1 200 OK\r\nX: y\r\n"])
    func closedEarly(text: String) async throws {
        let answer = try await answer(text)
        #expect(answer.error?.code == .closedEarly)
        #expect(answer.error?.side == .upstream)
    }

    @Test("a reset before the head is closedEarly")
    func resetEarly() async throws {
        let answer = try await answer("", reset: true)
        #expect(answer.error?.code == .closedEarly)
    }

    @Test(
        "what is no response, or an ambiguous one, is malformed",
        arguments: [
            "hello\r\n\r\n",
            "SSH-2.0-OpenSSH\r\n",
            "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nName : v\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nX: a\u{1}b\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nno colon here\r\nContent-Length: 2\r\n\r\nok",
        ])
    func malformed(text: String) async throws {
        let answer = try await answer(text)
        #expect(answer.error?.code == .malformedResponse, "\(answer)")
    }

    /// libcurl 7.88 crashed here on a handle that had a response before: fields that were freed lie about in many sizes.
    @Test(
        "a response whose first field is folded is malformed, also behind others on the same handle",
        arguments: [" X: a", "\tX: a", " ", "  folded", " X: " + String(repeating: "a", count: 300)],
        ["", "HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"])
    func foldedFirst(line: String, before: String) async throws {
        let whole = "HTTP/1.1 200 OK\r\nX-Last: some value\r\nContent-Length: 2\r\n\r\nok"
        let folded = "\(before)HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 2\r\n\r\nok"
        let server = RawServer { connection in
            while let head = connection.readHead() { connection.write(head.contains("/folded") ? folded : whole) }
        }
        defer { server.stop() }
        try await withClient { client in
            for target in ["/folded", "/", "/folded", "/folded", "/", "/"] {
                let answer = await client.perform(request(port: server.port, target: target))
                #expect(answer.error?.code == (target == "/" ? nil : .malformedResponse), "\(answer)")
                #expect(answer.text == (target == "/" ? "ok" : ""))
            }
        }
    }

    @Test("a head over the limit is malformed")
    func largeHead() async throws {
        let field = "X: " + String(repeating: "y", count: 1000) + "\r\n"
        let server = answering("HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 100) + "\r\n")
        defer { server.stop() }
        let answer = try await withClient({ $0.responseHeadBytes = 50_000 }) {
            await $0.perform(request(port: server.port))
        }
        #expect(answer.error?.code == .malformedResponse)
    }

    @Test("bytes beyond the framed body never become part of an answer")
    func excess() async throws {
        let server = RawServer { connection in
            while connection.readHead() != nil {
                connection.write(
                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
            }
        }
        defer { server.stop() }
        try await withClient { client in
            for _ in 0..<2 {
                let answer = await client.perform(request(port: server.port))
                #expect(answer.text == "ok")
            }
        }
        #expect(server.connections == 2)
    }
}

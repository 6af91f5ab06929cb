import Glibc
import HTTP
import Testing
import Upstream

/// What reaches the origin is what the client sent, byte for byte.
@Suite struct RequestBytesTests {
    /// A server that answers every request with 204 after its head; bodies are read as `read` says.
    private func echoless(_ read: @escaping @Sendable (RawConnection) -> Void = { _ in }) -> RawServer {
        RawServer { connection in
            while connection.readHead() != nil {
                read(connection)
                connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            }
        }
    }

    @Test("nothing is added: no Accept, no User-Agent, and Host keeps its place, its name's case and its value")
    func nothingAdded() async throws {
        let server = echoless()
        defer { server.stop() }
        let sent = [("X-First", "1"), ("hOsT", "shop.test"), ("Cookie", "a=b"), ("Authorization", "Basic eA==")]
        let answer = try await withClient {
            await $0.perform(request(port: server.port, target: "/a?b=c", fields: sent))
        }
        #expect(answer.status == 204)
        #expect(
            server.received()
                == head(
                    "GET /a?b=c HTTP/1.1", "X-First: 1", "hOsT: shop.test", "Cookie: a=b", "Authorization: Basic eA=="))
    }

    @Test("the client's own Accept, User-Agent, Expect and Content-Type go out as they are, once")
    func ownFields() async throws {
        let server = echoless { _ = $0.readExactly(2) }
        defer { server.stop() }
        let sent = [
            ("Host", "h"), ("aCCept", "x/y"), ("USER-agent", "me"), ("expect", "100-continue"), ("content-TYPE", "t/p"),
            ("Content-length", "2"),
        ]
        let answer = try await withClient {
            await $0.perform(request("POST", port: server.port, fields: sent, framing: .length(2)), body: ["ok"])
        }
        #expect(answer.status == 204)
        #expect(
            server.received()
                == head(
                    "POST / HTTP/1.1", "Host: h", "aCCept: x/y", "USER-agent: me", "expect: 100-continue",
                    "content-TYPE: t/p", "Content-length: 2") + "ok")
    }

    @Test("an empty value stays an empty value, and repeated fields stay apart")
    func emptyValues() async throws {
        let server = echoless()
        defer { server.stop() }
        let sent = [("Host", "h"), ("X-Empty", ""), ("X", "1"), ("X", "2"), ("Accept", "")]
        _ = try await withClient { await $0.perform(request(port: server.port, fields: sent)) }
        #expect(
            server.received().replacing(": \r\n", with: ":\r\n")
                == head("GET / HTTP/1.1", "Host: h", "X-Empty:", "X: 1", "X: 2", "Accept:"))
    }

    @Test(
        "a target passes unchanged, dots, bytes beyond ASCII and unwise characters included",
        arguments: ["/a/../b/./c", "/%7e?x=|{}^\"<>`\\", "*", "//double//", "/?", "/a#b"])
    func targets(target: String) async throws {
        let server = echoless()
        defer { server.stop() }
        _ = try await withClient { await $0.perform(request("OPTIONS", port: server.port, target: target)) }
        #expect(server.received().hasPrefix("OPTIONS \(target) HTTP/1.1\r\n"))
    }

    @Test("bytes above 0x7f in a target pass unchanged")
    func highBytes() async throws {
        let server = echoless()
        defer { server.stop() }
        let answer = try await withClient { client in
            var request = request(port: server.port)
            request.target = [UInt8(ascii: "/"), 0xc3, 0xa4, 0xff, 0x80]
            return await client.perform(request)
        }
        #expect(answer.status == 204)
        #expect(server.received().hasPrefix("GET /\u{c3}\u{a4}\u{ff}\u{80} HTTP/1.1\r\n"))
    }

    @Test(
        "every method goes out as it was written, with and without a body",
        arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "M-SEARCH", "get", "QUERY"])
    func methods(method: String) async throws {
        let server = echoless { connection in
            if connection.number == 2 { _ = connection.readExactly(3) }
        }
        defer { server.stop() }
        let plain = try await withClient { await $0.perform(request(method, port: server.port)) }
        let fields = [("Host", "h"), ("Content-Length", "3")]
        let withBody = try await withClient {
            await $0.perform(request(method, port: server.port, fields: fields, framing: .length(3)), body: ["abc"])
        }
        #expect(plain.status == 204)
        #expect(withBody.status == 204)
        #expect(server.received(1) == head("\(method) / HTTP/1.1", "Host: 127.0.0.1:\(server.port)"))
        #expect(server.received(2) == head("\(method) / HTTP/1.1", "Host: h", "Content-Length: 3") + "abc")
    }

    @Test("a POST with a length of zero says so and sends no body")
    func zeroLength() async throws {
        let server = echoless()
        defer { server.stop() }
        let fields = [("Host", "h"), ("Content-Length", "0")]
        let answer = try await withClient {
            await $0.perform(request("POST", port: server.port, fields: fields, framing: .length(0)))
        }
        #expect(answer.status == 204)
        #expect(server.received() == head("POST / HTTP/1.1", "Host: h", "Content-Length: 0"))
    }

    @Test("a body with a length never travels chunked, whatever fields there are")
    func lengthOnly() async throws {
        let server = echoless { _ = $0.readExactly(5) }
        defer { server.stop() }
        for fields in [[("Host", "h")], [("Host", "h"), ("Transfer-Encoding", "chunked")]] {
            _ = try await withClient {
                await $0.perform(
                    request("POST", port: server.port, fields: fields, framing: .length(5)), body: ["he", "llo"])
            }
        }
        for number in 1...2 {
            let expected = head("POST / HTTP/1.1", "Host: h", "Content-Length: 5") + "hello"
            #expect(server.received(number) == expected)
        }
    }

    @Test("a chunked body never travels with a length, whatever fields there are")
    func chunkedOnly() async throws {
        let server = echoless { _ = $0.readThrough("0\r\n\r\n") }
        defer { server.stop() }
        for fields in [[("Host", "h")], [("Host", "h"), ("Content-Length", "5"), ("Transfer-Encoding", "chunked")]] {
            _ = try await withClient {
                await $0.perform(request("POST", port: server.port, fields: fields, framing: .chunked), body: ["hello"])
            }
        }
        for number in 1...2 {
            let expected = head("POST / HTTP/1.1", "Host: h", "Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n\r\n"
            #expect(server.received(number) == expected)
        }
    }

    @Test("request trailers follow a chunked body, and the next chunked body is whole without them")
    func trailers() async throws {
        let server = echoless { connection in
            _ = connection.readThrough("0\r\n")
            _ = connection.readThrough("\r\n\r\n") ?? ""
        }
        defer { server.stop() }
        try await withClient { client in
            var trailers = Fields()
            trailers.append("X-Sum", "42")
            trailers.append("X-More", "yes")
            let post = request("POST", port: server.port, fields: [("Host", "h")], framing: .chunked)
            let first = await client.perform(post, body: ["abc"], trailers: trailers)
            #expect(first.status == 204)
        }
        let expected =
            head("POST / HTTP/1.1", "Host: h", "Transfer-Encoding: chunked")
            + "3\r\nabc\r\n0\r\nX-Sum: 42\r\nX-More: yes\r\n\r\n"
        #expect(server.received() == expected)
    }

    @Test("a handle that sent trailers does not spoil the chunked bodies after it")
    func afterTrailers() async throws {
        let server = RawServer { connection in
            while connection.readHead() != nil {
                _ = connection.readThrough("\r\n0\r\n")
                _ = connection.readThrough("\r\n")  // the line after the last chunk: empty, or the one trailer
                connection.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
                connection.readToEnd()
                return
            }
        }
        defer { server.stop() }
        try await withClient { client in
            var trailers = Fields()
            trailers.append("X-Sum", "42")
            for number in 1...4 {
                let post = request("POST", port: server.port, fields: [("Host", "h")], framing: .chunked)
                let answer = await client.perform(post, body: ["abc"], trailers: number % 2 == 1 ? trailers : nil)
                #expect(answer.status == 204)
                let end = number % 2 == 1 ? "X-Sum: 42\r\n\r\n" : "\r\n"
                #expect(
                    server.received(number)
                        == head("POST / HTTP/1.1", "Host: h", "Transfer-Encoding: chunked") + "3\r\nabc\r\n0\r\n" + end)
            }
        }
    }

    @Test("after an HTTP/1.0 answer the same handle still speaks HTTP/1.1 to others")
    func versionIsNotRemembered() async throws {
        let old = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let new = echoless()
        defer {
            old.stop()
            new.stop()
        }
        try await withClient { client in
            let first = await client.perform(request(port: old.port))
            let second = await client.perform(request(port: new.port))
            #expect(first.text == "ok")
            #expect(second.status == 204)
        }
        #expect(new.received().hasPrefix("GET / HTTP/1.1\r\n"))
    }

    @Test("proxy variables of the environment and .netrc are not followed")
    func environment() async throws {
        setenv("http_proxy", "http://127.0.0.1:1", 1)
        setenv("all_proxy", "http://127.0.0.1:1", 1)
        let server = echoless()
        defer {
            unsetenv("http_proxy")
            unsetenv("all_proxy")
            server.stop()
        }
        let answer = try await withClient { await $0.perform(request(port: server.port)) }
        #expect(answer.status == 204)
    }
}

import EventLoop
import HTTP
import Testing
import Upstream

@Suite(.timeLimit(.minutes(1))) struct FetchTests {
    private func fetch(_ request: FetchRequest) async throws -> (status: Int, body: String) {
        let response = try await withClient { try await $0.fetch(request) }
        return (response.status, latin1(response.body))
    }

    @Test("a POST carries method, headers and body, and the whole answer comes back")
    func post() async throws {
        let server = RawServer { connection in
            connection.readHead()
            _ = connection.readExactly(2)
            connection.write(
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        }
        defer { server.stop() }
        let response = try await fetch(
            FetchRequest(
                url: "HTTP://127.0.0.1:\(server.port)/token?a=b#fragment", method: "POST",
                headers: [("Content-Type", "application/json")], body: Array("{}".utf8)))
        #expect(response == (201, "abcde"))
        #expect(
            server.received()
                == head(
                    "POST /token?a=b HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Content-Type: application/json",
                    "Content-Length: 2") + "{}")
    }

    @Test("a URL without a path asks for /")
    func noPath() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        _ = try await fetch(FetchRequest(url: "http://127.0.0.1:\(server.port)?x"))
        #expect(server.received().hasPrefix("GET /?x HTTP/1.1\r\n"))
    }

    @Test("an answer over the bound is tooLarge")
    func tooLarge() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 100_000))
        }
        defer { server.stop() }
        await #expect(throws: UpstreamError(.tooLarge, "")) {
            try await fetch(FetchRequest(url: "http://127.0.0.1:\(server.port)/", maxBytes: 50_000))
        }
    }

    @Test("the limit covers a slow body too")
    func timeout() async throws {
        let server = RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
            connection.readToEnd()
        }
        defer { server.stop() }
        await #expect(throws: UpstreamError(.deadlineExceeded, "")) {
            try await fetch(FetchRequest(url: "http://127.0.0.1:\(server.port)/", timeout: .milliseconds(200)))
        }
    }

    @Test("cancelling the task ends the fetch")
    func cancel() async throws {
        let server = RawServer { $0.readToEnd() }
        defer { server.stop() }
        try await withClient { client in
            nonisolated(unsafe) let client = client
            let url = "http://127.0.0.1:\(server.port)/"
            let task = Task(executorPreference: client.loop) {
                do throws(UpstreamError) {
                    _ = try await client.fetch(FetchRequest(url: url))
                    return nil as UpstreamError?
                } catch { return error }
            }
            await client.loop.sleep(for: .milliseconds(50))
            task.cancel()
            #expect(await task.value?.code == .cancelled)
        }
    }

    @Test(
        "a URL that cannot be fetched is refused before anything is sent",
        arguments: ["ftp://h/", "h/path", "http://user:pass@h/", "http:///x", "http://h/ x", "http://h:99999/", ""])
    func badURL(url: String) async throws {
        await #expect(throws: UpstreamError(.internal, "")) { try await fetch(FetchRequest(url: url)) }
    }

    @Test("a header that would break the request is refused")
    func badHeader() async throws {
        for header in [("X", "a\r\nY: b"), ("X Y", "a"), ("", "a")] {
            await #expect(throws: UpstreamError(.internal, "")) {
                try await fetch(FetchRequest(url: "http://127.0.0.1:1/", headers: [header]))
            }
        }
    }
}

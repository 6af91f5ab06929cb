import Foundation
import Testing

/// Answers that do not end, and connections that turn into something else.
@Suite(.timeLimit(.minutes(10)))
struct StreamingTests {
    /// The proxy's variables, and those by which Python's clients trust it.
    private func environment(_ rig: Rig, _ proxy: RunningProxy) async throws -> [String: String] {
        let trusted = try await rig.trustedFile()
        return proxy.environment.merging(["REQUESTS_CA_BUNDLE": trusted, "SSL_CERT_FILE": trusted]) { $1 }
    }

    @Test(
        "Server-sent events arrive one by one: the origin sends the second after the client reported the first",
        arguments: ["http", "https"])
    func serverSentEvents(scheme: String) async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            let result = try await rig.run(
                Places.python,
                [
                    Places.support("sse_client.py"), "\(scheme)://shop.test/sse",
                    "http://\(emulator.control)/v1/sse/next",
                ],
                environment: try await environment(rig, proxy))
            #expect(result.status == .exited(0), "\(String(decoding: result.output, as: UTF8.self))\(result.errors)")
        }
    }

    @Test("A WebSocket echoes, and carried the token when it opened", arguments: ["http", "https"])
    func webSocket(scheme: String) async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            let result = try await rig.run(
                Places.python, [Places.support("websocket_client.py"), "\(scheme)://shop.test/ws"],
                environment: try await environment(rig, proxy))
            #expect(result.status == .exited(0), "\(result.errors)")
            #expect(String(decoding: result.output, as: UTF8.self) == "echoed 4 messages\n")
            #expect(try await emulator.requests(verdict: "accepted").count == 1)
        }
    }

    @Test("Interim answers and trailers reach the client")
    func interimAndTrailers() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let (hints, trailers) = try await onThread {
                let connection = try RawConnection(to: proxy.address)
                try connection.send("GET http://open.test/early-hints HTTP/1.1\r\nHost: open.test\r\n\r\n")
                let all = connection.receive { $0.suffix(6) == Data("\r\n\r\nok".utf8) }.data
                try connection.send("GET http://open.test/trailers HTTP/1.1\r\nHost: open.test\r\nTE: trailers\r\n\r\n")
                let second = connection.receive {
                    $0.suffix(4) == Data("\r\n\r\n".utf8) && $0.range(of: Data("\r\n0\r\n".utf8)) != nil
                }.data
                return (String(decoding: all, as: UTF8.self), second)
            }
            #expect(hints.hasPrefix("HTTP/1.1 103 "))
            #expect(hints.contains("Link: </a.css>; rel=preload\r\n"))
            #expect(hints.contains("HTTP/1.1 200 OK\r\n"))
            #expect(String(decoding: trailers, as: UTF8.self).hasSuffix("2\r\nok\r\n0\r\nX-Sum: 42\r\n\r\n"))
        }
    }
}

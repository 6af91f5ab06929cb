import Foundation
import Testing

/// Clients and origins that vanish, stall, flood or answer too early: the proxy serves on, and nothing is held for ever.
@Suite(.timeLimit(.minutes(10)))
struct HostilePeerTests {
    private static func upload(_ path: String, _ framing: String, _ body: String) -> String {
        "POST http://shop.test\(path) HTTP/1.1\r\nHost: shop.test\r\n\(framing)\r\n\r\n\(body)"
    }

    @Test(
        "An answer in the middle of the upload reaches the client, and the proxy goes on",
        arguments: ["Content-Length: 1000", "Transfer-Encoding: chunked"])
    func earlyAnswer(framing: String) async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd, more: ["threads": 1])
            for _ in 0..<5 {
                let refused = try await proxy.exchange(Self.upload("/early-413", framing, "5\r\nhello\r\n"))
                #expect(refused.status == 413)
                #expect(refused["connection"] == "close", "the rest of the body would be taken for a request")
                #expect(refused.text == "no")
            }
            #expect(try await proxy.get("http://open.test/next").status == 200)
        }
    }

    @Test("A body that breaks its framing behind an early challenge ends the connection: what follows is no request")
    func brokenBodyBehindChallenge() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd, more: ["threads": 1])
            let (head, rest) = try await onThread {
                let connection = try RawConnection(to: proxy.address)
                try connection.send(
                    Self.upload("/early-challenge", "Transfer-Encoding: chunked", "3\r\nabc\r\n"))
                usleep(200_000)
                try connection.send("zz\r\nGET http://open.test/smuggled HTTP/1.1\r\nHost: open.test\r\n\r\n")
                let response = try connection.receiveResponse()
                return (response, connection.receive())
            }
            #expect(head["connection"] == "close")
            #expect(rest.data.isEmpty)
            #expect(try await odd.heads("http://open.test/smuggled").isEmpty)
            #expect(try await odd.heads("/smuggled").isEmpty)
            #expect(try await proxy.get("http://open.test/next").status == 200)
        }
    }

    @Test("Who pipelines requests and takes no answers is not read from any more")
    func pipeliningFlood() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd, more: ["threads": 1, "log": ["access": false]])
            let requests = Data(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 10_000).utf8)
            let taken = try await onThread {
                try RawConnection(to: proxy.address, timeoutSec: 2).sendUntilStalled(requests, limit: 40_000_000)
            }
            #expect(taken < 20_000_000)
            #expect(try await proxy.get("http://open.test/next").status == 200)
        }
    }

    @Test("A client's reset ends a tunnel also while the server takes nothing")
    func resetInStalledTunnel() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let silent = try rig.silentPort()
            let taken = try await onThread {
                let connection = try RawConnection(to: proxy.address, timeoutSec: 1)
                try connection.send("CONNECT \(silent) HTTP/1.1\r\nHost: \(silent)\r\n\r\n")
                _ = connection.receive { $0.suffix(4) == Data("\r\n\r\n".utf8) }
                let taken = connection.sendUntilStalled(Data(count: 1 << 20), limit: 100_000_000)
                connection.resetAtEnd()
                return taken
            }
            #expect(taken < 100_000_000)
            _ = try await eventually("the tunnel still stands") {
                proxy.accessLog.contains { $0["method"].string == "CONNECT" } ? true : nil
            }
        }
    }

    @Test("Clients that reset tunnels in the middle of a download harm nobody else")
    func resetsInBusyTunnels() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            try await emulator.setRules([("/", "allow")])
            try await withThrowingTaskGroup { group in
                for number in 0..<150 {
                    group.addTask {
                        try await onThread {
                            let connection = try RawConnection(to: proxy.address)
                            try connection.send(
                                "CONNECT \(emulator.http) HTTP/1.1\r\nHost: \(emulator.http)\r\n\r\n"
                                    + "GET /bytes/3000000 HTTP/1.1\r\nHost: shop.test\r\n\r\n")
                            _ = connection.receive { $0.count > number * 10_000 }
                            connection.resetAtEnd()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await proxy.get("http://shop.test/get").status == 200)
        }
    }

    @Test("A client that is gone does not keep an answer open on which nothing comes any more")
    func silentAnswer() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd, more: ["limits": ["halfCloseSec": 1]])
            try await onThread {
                let connection = try RawConnection(to: proxy.address)
                try connection.send("GET http://open.test/stalled-body HTTP/1.1\r\nHost: open.test\r\n\r\n")
                _ = connection.receive { $0.count > 100 }
            }
            _ = try await eventually("the request is still under way", within: .seconds(25)) {
                proxy.accessLog.contains { $0["path"].string == "/stalled-body" } ? true : nil
            }
        }
    }

    @Test("An answer that never ends does not hold up the end of the proxy, and is not ended cleanly")
    func drainDeadline() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd, more: ["limits": ["drainSec": 1]])
            let answer = Task { try await proxy.get("http://open.test/stalled-body") }
            _ = try await eventually("the request did not reach the origin") {
                odd.headsSoFar.contains { $0.contains(" /stalled-body ") } ? true : nil
            }
            proxy.process.send(signal: SIGTERM)
            #expect(try await proxy.process.exit() == .exited(0))
            #expect(try await answer.value.content == nil)
        }
    }

    @Test("Requests that wait in the kernel's queue at SIGTERM are answered")
    func backlog() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            proxy.process.send(signal: SIGSTOP)
            let connections = try await onThread {
                try (0..<20).map { number in
                    let connection = try RawConnection(to: proxy.address)
                    try connection.send("GET http://open.test/n\(number) HTTP/1.1\r\nHost: open.test\r\n\r\n")
                    return connection
                }
            }
            proxy.process.send(signal: SIGTERM)
            proxy.process.send(signal: SIGCONT)
            let statuses = try await onThread { try connections.map { try $0.receiveResponse().status } }
            #expect(statuses == Array(repeating: 200, count: 20))
        }
    }

    @Test("Started with its standard streams closed, it puts nothing of its own in their place")
    func closedStreams() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let port = try rig.closedPort()
            let process = try rig.launch(
                "proxy", "sh",
                [
                    "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-", Places.binary, "run", "--listen", "\(port)",
                    "--admin-listen", "127.0.0.1:0", "--host", "shop.test", "--resolve", "open.test:80=\(odd.http)",
                ], environment: ["WAF_TOKEN": "static-token-7", "HOME": rig.folder])
            let proxy = RunningProxy(process: process, address: port)
            let response = try await eventually("it does not serve") { try? await proxy.get("http://open.test/x") }
            #expect(response.status == 200)
            for descriptor in 0...2 {
                let place = try FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(process.pid)/fd/\(descriptor)")
                #expect(place == "/dev/null")
            }
        }
    }
}

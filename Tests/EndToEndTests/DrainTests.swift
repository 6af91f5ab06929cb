import Foundation
import Testing

/// How it ends.
@Suite(.timeLimit(.minutes(10)))
struct DrainTests {
    /// A request that is being answered while the body looks on.
    private func inFlight(
        _ path: String, _ body: (RunningProxy, Task<RawResponse, any Error>) async throws -> Void
    ) async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd, more: ["limits": ["drainSec": 60]])
            let answer = Task { try await proxy.get("http://open.test\(path)") }
            _ = try await eventually("the request did not reach the origin") {
                odd.headsSoFar.contains { $0.contains(" \(path) ") } ? true : nil
            }
            try await body(proxy, answer)
            answer.cancel()
        }
    }

    @Test("SIGTERM: the request in flight is finished, new connections are refused, the status is 0")
    func drain() async throws {
        try await inFlight("/slow/6000") { proxy, answer in
            proxy.process.send(signal: SIGTERM)
            _ = try await eventually("it still accepts", within: .seconds(5)) {
                (try? await onThread { try RawConnection(to: proxy.address) }) == nil ? true : nil
            }
            #expect(try await answer.value.status == 200)
            #expect(try await proxy.process.exit(within: .seconds(30)) == .exited(0))
        }
    }

    @Test("A resting connection does not hold up the end")
    func resting() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd, more: ["limits": ["drainSec": 60]])
            let connection = try await onThread {
                let connection = try RawConnection(to: proxy.address)
                try connection.send("GET http://open.test/x HTTP/1.1\r\nHost: open.test\r\n\r\n")
                _ = try connection.receiveResponse()
                return connection
            }
            proxy.process.send(signal: SIGTERM)
            #expect(try await proxy.process.exit(within: .seconds(30)) == .exited(0))
            #expect(try await onThread { connection.receive().ending } == .end)
        }
    }

    @Test("A second signal ends it at once")
    func twice() async throws {
        try await inFlight("/silent") { proxy, _ in
            proxy.process.send(signal: SIGTERM)
            try await Task.sleep(for: .milliseconds(300))
            #expect(proxy.process.exitStatus == nil, "the first one drains")
            proxy.process.send(signal: SIGINT)
            try await proxy.process.exit(within: .seconds(30))
        }
    }
}

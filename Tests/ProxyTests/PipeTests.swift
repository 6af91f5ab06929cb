import EventLoop
import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(1)))
struct PipeTests {
    /// What comes of two ends: what each got, how it ended, how many bytes were counted.
    struct Outcome: Sendable {
        var client = ("", false)
        var server = ("", false)
        var counts: [UInt64] = []
        var took = Duration.zero
    }

    /// Runs a pipe between two connections while `body` plays both outer ends.
    private func piped(
        idle: Duration = .seconds(600), halfClosed: Duration = .seconds(600),
        _ body: @escaping @Sendable (_ client: Stream, _ server: Stream, inout Outcome) async throws -> Void
    ) async throws -> Outcome {
        try await onLoop { loop in
            let (client, inner) = try await streamPair(on: loop)
            let (server, outer) = try await streamPair(on: loop)
            let state = PipeState(now: loop.now)
            let limits = PipeLimits(idle: idle, halfClosed: halfClosed)
            let pipe = Pipe(client: inner, server: outer, loop: loop, limits: limits, state: state)
            let over = Finished()
            nonisolated(unsafe) let handedOver = (pipe, inner, outer)  // everything runs on this loop
            let start = EventLoop.preciseNow
            loop.spawn {
                await handedOver.0.run()
                handedOver.1.close()
                handedOver.2.close()
                over.finish()
            }
            var outcome = Outcome()
            try await body(client, server, &outcome)
            await over.wait()
            outcome.took = EventLoop.preciseNow - start
            outcome.counts = [state.bytesUp, state.bytesDown]
            client.close()
            server.close()
            return outcome
        }
    }

    @Test("bytes go both ways and are counted, and each side's end is told to the other")
    func bothWays() async throws {
        let outcome = try await piped { client, server, outcome in
            client.send("question")
            try await client.finishSending()
            outcome.server = await server.rest()
            server.send("long answer")
            try await server.finishSending()
            outcome.client = await client.rest()
        }
        #expect(outcome.server == ("question", true))
        #expect(outcome.client == ("long answer", true))
        #expect(outcome.counts == [8, 11])
    }

    @Test("a side that breaks breaks the other")
    func broken() async throws {
        let outcome = try await piped { client, server, outcome in
            server.send("part")
            _ = await client.text(through: "part")
            server.reset()
            outcome.client = await client.rest()
        }
        #expect(outcome.client == ("", false))
    }

    @Test("a pipe on which nothing moves ends with a fault on both sides")
    func quiet() async throws {
        let outcome = try await piped(idle: .milliseconds(50)) { client, server, outcome in
            outcome.client = await client.rest()
            outcome.server = await server.rest()
        }
        #expect(outcome.client == ("", false))
        #expect(outcome.server == ("", false))
    }

    @Test("after one side has ended the shorter limit counts")
    func halfClosed() async throws {
        let outcome = try await piped(halfClosed: .milliseconds(50)) { client, server, outcome in
            try await client.finishSending()
            outcome.server = await server.rest()
            outcome.client = await client.rest()
        }
        #expect(outcome.client.1 == false)
        #expect(outcome.took < .seconds(30))
    }

    @Test("a peer that takes nothing does not hold the pipe for ever")
    func unread() async throws {
        let outcome = try await piped(idle: .milliseconds(100)) { client, server, outcome in
            let block = [UInt8](repeating: 7, count: 1 << 20)
            for _ in 0..<64 { server.send(block.span) }
            outcome.server = await server.rest()
        }
        #expect(outcome.server.1 == false)
    }

    @Test("a pipe that is in use outlives its limits")
    func inUse() async throws {
        let outcome = try await piped(idle: .seconds(2), halfClosed: .seconds(2)) {
            client, server, outcome in
            for _ in 0..<8 {
                client.send("x")
                _ = await server.text(through: "x")
                await client.loop.sleep(for: .milliseconds(300))
            }
            try await client.finishSending()
            outcome.server = await server.rest()
            try await server.finishSending()
            outcome.client = await client.rest()
        }
        #expect(outcome.counts == [8, 0])
        #expect(outcome.client == ("", true))
    }
}

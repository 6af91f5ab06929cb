import EventLoop
import HTTP
import Testing
import Upstream

@testable import Proxy

/// A body between a client and an origin, with a copy; `BodyDecoderTests` has the framing.
@Suite(.timeLimit(.minutes(1)))
struct RequestBodyPumpTests {
    private func pumped<Result: Sendable>(
        _ framing: BodyFraming, copy limit: Int? = 1 << 20, silence: Duration = .seconds(600),
        _ body: @escaping @Sendable (_ client: Stream, RequestBodyPump, ReplayBuffer?) async throws -> Result
    ) async throws -> Result {
        try await onLoop { loop in
            let (client, inner) = try await streamPair(on: loop)
            let copy = limit.map { ReplayBuffer(limit: $0, budget: ReplayBudget(limit: 1 << 26)) }
            let pump = RequestBodyPump(stream: inner, framing: framing, copy: copy, silenceLimit: silence)
            pump.start(on: loop)
            let result = try await body(client, pump, copy)
            await pump.stop()
            client.close()
            inner.close()
            return result
        }
    }

    private func ending(of pump: RequestBodyPump) -> String {
        switch pump.outcome {
        case nil: "none"
        case .whole: "whole"
        case .malformed: "malformed"
        case .clientGone: "clientGone"
        case .stopped: "stopped"
        }
    }

    private func text(_ copy: ReplayBuffer?) -> String {
        copy.map { copy in copy.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } } ?? ""
    }

    @Test("the copy is collected as the body comes, and is whole when the framing says so")
    func collects() async throws {
        try await pumped(.chunked) { client, pump, copy in
            client.send("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
            await pump.collect()
            #expect(pump.isWhole)
            #expect(pump.bytesRead == 5)
            #expect(text(copy) == "abcde")
        }
    }

    @Test("collecting ends when the body has become too large for the copy, though it goes on")
    func tooLarge() async throws {
        try await pumped(.length(1_000_000), copy: 10) { client, pump, _ in
            client.send("more than ten bytes")
            await pump.collect()
            #expect(!pump.isWhole)
            #expect(!pump.canReplay)
            #expect(pump.outcome == nil)
        }
    }

    @Test("without a copy there is nothing to collect")
    func noCopy() async throws {
        try await pumped(.length(5), copy: nil) { _, pump, _ in
            await pump.collect()
            #expect(pump.outcome == nil)
        }
    }

    @Test("a client that breaks the framing, leaves or falls silent is told apart from one that sent all")
    func spoilt() async throws {
        try await pumped(.chunked) { client, pump, _ in
            client.send("no chunk size\r\n")
            await pump.collect()
            #expect(ending(of: pump) == "malformed")
        }
        try await pumped(.length(5)) { client, pump, _ in
            client.send("abc")
            try await client.finishSending()
            await pump.collect()
            #expect(ending(of: pump) == "clientGone")
        }
        try await pumped(.length(5), silence: .milliseconds(30)) { client, pump, _ in
            await pump.collect()
            #expect(ending(of: pump) == "clientGone")
        }
    }

    @Test("stopped, it leaves the connection to another reader, before and while it waits")
    func stops() async throws {
        for waits in [false, true] {
            try await onLoop { loop in
                let (client, inner) = try await streamPair(on: loop)
                let pump = RequestBodyPump(
                    stream: inner, framing: .length(100), copy: nil, silenceLimit: .seconds(600))
                pump.start(on: loop)
                if waits { await loop.sleep(for: .milliseconds(20)) }
                await pump.stop()
                client.send("next")
                #expect(await inner.text(through: "next") == "next")
                client.close()
                inner.close()
            }
        }
    }
}

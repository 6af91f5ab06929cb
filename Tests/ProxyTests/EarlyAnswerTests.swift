import EventLoop
import HTTP
import Telemetry
import Testing
import Upstream
import WAFTokens

@testable import Proxy

/// Answers and ends that come before the request's body is whole: what becomes of the connection, the body, the process.
@Suite(.timeLimit(.minutes(2)))
struct EarlyAnswerTests {
    @Test("an origin that cannot be reached is told although the body is not whole; the connection then ends")
    func refusedOrigin() async throws {
        try await Rig.with(origin: { _ in }) { rig in
            let text = "POST http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 100\r\n\r\nabc"
            let (answer, isOrderly) = try await rig.talk(text)
            #expect(answer.hasPrefix("HTTP/1.1 502 "))
            #expect(answer.contains("\r\nConnection: close\r\n"))
            #expect(isOrderly)
        }
    }

    @Test("an answer before the end of the body is passed on; the connection then ends")
    func earlyAnswer() async throws {
        try await Rig.with(origin: { origin in
            _ = await origin.nextHead()
            origin.send(answer("413 Content Too Large", "no"))
            _ = await origin.stream.rest()
        }) { rig in
            let (answer, isOrderly) = try await rig.talk(rig.head("POST", "/", "Content-Length: 100") + "abc")
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            #expect(answer.hasSuffix("\r\n\r\nno"))
            #expect(isOrderly)
        }
    }

    @Test("a challenge before the end of the body waits for the body and replays it, though the origin reads no more")
    func earlyChallenge() async throws {
        let body = String(repeating: "0123456789abcdef", count: 1 << 15)  // twice what may wait for the origin
        try await Rig.with({
            $0.policy = AttachPolicy()
            $0.configuration.replayBufferBytes = 1 << 20
        }) { origin in
            guard let head = await origin.nextHead() else { return }
            if head.contains("token-1") {
                origin.send(answer("202 Accepted", "", "x-amzn-waf-action: challenge", "Connection: close"))
                await origin.stream.loop.sleep(for: .seconds(20))
            } else {
                let got = await origin.stream.text(through: "end")
                origin.send(answer("200 OK", "\(got?.utf8.count ?? 0)"))
            }
        } _: { rig in
            let stream = try await rig.connect()
            defer { stream.close() }
            stream.send(rig.head("POST", "/", "Content-Length: \(body.utf8.count + 3)", "Connection: close"))
            stream.send(body)
            await rig.loop.sleep(for: .milliseconds(50))
            stream.send("end")
            let (answer, _) = await stream.rest()
            #expect(answer.hasSuffix("\r\n\r\n\(body.utf8.count + 3)"))
            #expect(rig.heads.withLock { $0.count } == 2)
        }
    }

    @Test("a challenge to a body that outgrows the copy is passed on before the body ends, with the reason")
    func challengeOfLargeBody() async throws {
        try await Rig.with({
            $0.policy = AttachPolicy()
            $0.configuration.replayBufferBytes = 10
        }) { origin in
            _ = await origin.nextHead()
            _ = await origin.stream.text(through: "abc")
            origin.send(challenge)
            _ = await origin.stream.rest()
        } _: { rig in
            let stream = try await rig.connect()
            defer { stream.close() }
            stream.send(rig.head("POST", "/", "Transfer-Encoding: chunked") + "3\r\nabc\r\n")
            await rig.loop.sleep(for: .milliseconds(50))
            stream.send("10\r\n0123456789abcdef\r\n")
            let (answer, isOrderly) = await stream.rest()
            #expect(answer.hasPrefix("HTTP/1.1 202 "))
            #expect(isOrderly)
            #expect(answer.contains("details=\"replay_body_too_large\""))
            #expect(rig.heads.withLock { $0.count } == 1)
        }
    }

    @Test("a client that breaks its chunks gets 400 and no second request out of what follows")
    func brokenChunks() async throws {
        try await Rig.with(origin: { origin in
            while await origin.nextHead() != nil { await origin.stream.loop.sleep(for: .seconds(5)) }
        }) { rig in
            let (answer, _) = try await rig.talk(
                rig.head("POST", "/a", "Transfer-Encoding: chunked") + "xyz\r\n" + rig.head("GET", "/b"))
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
            #expect(!answer.dropFirst(5).contains("HTTP/1.1"))
            #expect(!rig.heads.withLock { $0.contains { $0.contains("/b") } })
        }
    }
}

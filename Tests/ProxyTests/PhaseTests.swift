import EventLoop
import HTTP
import Telemetry
import Testing
import Upstream
import WAFTokens

@testable import Proxy

/// What the phases make of a request, seen from both sides: bytes in, bytes out.
@Suite(.timeLimit(.minutes(2)))
struct PhaseTests {
    private static func served(_ text: String) -> @Sendable (OriginConnection) async -> Void {
        { origin in
            while await origin.nextHead() != nil { origin.send(text) }
        }
    }

    @Test("the origin gets origin form, the target's Host, our Via and the token, and everything else as it was")
    func rewrite() async throws {
        try await Rig.with({ $0.policy = AttachPolicy() }, origin: Self.served(answer())) { rig in
            let text =
                "GET http://\(rig.origin)/a?b HTTP/1.1\r\nx-First: 1\r\nhOST: lies.test\r\nCookie: a=b\r\n"
                + "Proxy-Connection: close\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n"
            _ = try await rig.talk(text)
            #expect(
                rig.heads.withLock { $0 } == [
                    "GET /a?b HTTP/1.1\r\nx-First: 1\r\nhOST: \(rig.origin)\r\nCookie: aws-waf-token=token-1; a=b\r\n"
                        + "Via: 1.1 \(rig.server.viaName)\r\n\r\n"
                ])
        }
    }

    @Test("the provider's own fields go out over plain http to a private peer")
    func secretFields() async throws {
        try await Rig.with(
            {
                $0.policy = AttachPolicy()
                $0.policy?.headers = [SecretHeader(name: "X-Bot", value: Redacted("s"))]
            }, origin: Self.served(answer())
        ) { rig in
            _ = try await rig.talk(rig.head("GET", "/", "Connection: close"))
            #expect(rig.heads.withLock { $0.first?.contains("X-Bot: s\r\n") == true })
        }
    }

    @Test(
        "an origin that is not verified gets neither the token nor the provider's fields, unless allowed",
        arguments: [false, true])
    func insecure(isAllowed: Bool) async throws {
        let provider = try WAFTokenProvider(WAFConfiguration(domainName: "shop.test"), source: CountingSource())
        var policy = AttachPolicy()
        policy.headers = [SecretHeader(name: "X-Bot", value: Redacted("s"))]
        policy.allowInsecureToken = isAllowed
        let mine = ProxyProvider(provider: provider, policy: policy)
        let lines = try await onLoop { loop in
            var upstream = UpstreamConfiguration()
            upstream.verify = false
            let (client, inner) = try await streamPair(on: loop)
            defer {
                client.close()
                inner.close()
            }
            let worker = Worker(
                loop: loop, upstream: try UpstreamClient(loop: loop, configuration: upstream),
                configuration: ProxyConfiguration(), providers: HostTable(),
                shared: SharedState(
                    loops: [loop], replayBudget: ReplayBudget(limit: 0), metrics: ProxyMetrics(),
                    flows: FlowRing(capacity: 0),
                    logger: .silent),
                logger: .silent)
            let context = RequestContext()
            let connection = ClientConnection(worker: worker, stream: inner)
            context.begin(on: connection)
            var parser = RequestHeadParser(limits: HeadLimits())
            _ = try parser.parse(
                Array("GET https://shop.test/ HTTP/1.1\r\nHost: shop.test\r\n\r\n".utf8).span, into: &context.head)
            let route = Route(
                asked: (.https, []), scheme: .https, authority: Authority(host: "shop.test", port: 443),
                provider: mine, host: Array("shop.test".utf8))
            try await context.rewrite(for: route)
            let fields = context.head.fields
            return (0..<fields.count).map { index in
                fields.name(index).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
            }
        }
        #expect(lines == (isAllowed ? ["Host", "Via", "X-Bot", "Cookie"] : ["Host", "Via"]))
        await provider.stop()
    }

    @Test(
        "each framing of an answer is the client's to understand",
        arguments: [
            ("Content-Length: 2\r\n\r\nok", "Content-Length: 2", "ok"),
            (
                "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nT: 1\r\n\r\n", "Transfer-Encoding: chunked",
                "2\r\nok\r\n0\r\nT: 1\r\n\r\n"
            ),
            ("Connection: close\r\n\r\nok", "Transfer-Encoding: chunked", "2\r\nok\r\n0\r\n\r\n"),
        ])
    func answerFraming(sent: String, field: String, body: String) async throws {
        try await Rig.with(origin: { origin in
            _ = await origin.nextHead()
            origin.send("HTTP/1.1 200 OK\r\n" + sent)
        }) { rig in
            let (answer, isOrderly) = try await rig.talk(rig.head("GET", "/", "Connection: close"))
            #expect(answer.contains("\r\n\(field)\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n" + body))
            #expect(isOrderly)
        }
    }

    @Test("an HTTP/1.0 client gets no chunks: the end of the connection is the end of the body")
    func http10() async throws {
        try await Rig.with(
            origin: Self.served("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n")
        ) { rig in
            let (answer, isOrderly) = try await rig.talk("GET http://\(rig.origin)/ HTTP/1.0\r\n\r\n")
            #expect(answer.hasSuffix("\r\n\r\nok"))
            #expect(!answer.contains("Transfer-Encoding"))
            #expect(isOrderly)
        }
    }

    @Test("an answer that breaks off is not ended cleanly", arguments: ["HTTP/1.1", "HTTP/1.0"])
    func brokenAnswer(version: String) async throws {
        try await Rig.with(origin: { origin in
            _ = await origin.nextHead()
            origin.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n")
            await origin.stream.loop.sleep(for: .milliseconds(20))
        }) { rig in
            let (answer, isOrderly) = try await rig.talk(
                "GET http://\(rig.origin)/ \(version)\r\nHost: \(rig.origin)\r\n\r\n")
            #expect(!answer.hasSuffix("0\r\n\r\n"))
            #expect(!isOrderly)
        }
    }

    @Test("a challenged request is sent again with a newer token, and the client sees the second answer alone")
    func replay() async throws {
        try await Rig.with({ $0.policy = AttachPolicy() }) { origin in
            while let head = await origin.nextHead() {
                _ = await origin.stream.text(through: "body")
                origin.send(head.contains("token-1") ? challenge : answer())
            }
        } _: { rig in
            let (answer, _) = try await rig.talk(
                rig.head("POST", "/", "Content-Length: 4", "Connection: close") + "body")
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(!answer.contains("202"))
            #expect(rig.heads.withLock { $0.count } == 2)
        }
    }

    @Test("challenged again: the challenge is passed on as it came, with the reason")
    func challengedAgain() async throws {
        try await Rig.with({ $0.policy = AttachPolicy() }, origin: Self.served(challenge)) { rig in
            let (answer, _) = try await rig.talk(rig.head("GET", "/", "Connection: close"))
            #expect(answer.hasPrefix("HTTP/1.1 202 "))
            #expect(answer.contains("Proxy-Status: waf-token-proxy; details=\"challenged_again\"\r\n"))
            #expect(rig.heads.withLock { $0.count } == 2)
        }
    }

    @Test(
        "a request that passed this proxy before is a loop, also to a tunnel",
        arguments: ["GET http://a.test/", "CONNECT a.test:443"])
    func loop(start: String) async throws {
        try await Rig.with(origin: { _ in }) { rig in
            let (answer, _) = try await rig.talk(
                "\(start) HTTP/1.1\r\nHost: a.test\r\nVia: 1.1 \(rig.server.viaName)\r\nConnection: close\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 508 "))
        }
    }

    @Test("a request that passed another instance is no loop, and each instance has a name of its own")
    func chain() async throws {
        try await Rig.with(origin: Self.served(answer())) { rig in
            let (answer, _) = try await rig.talk(
                rig.head("GET", "/", "Via: 1.1 waf-token-proxy-00000000", "Connection: close"))
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(rig.server.viaName.wholeMatch(of: /waf-token-proxy-[0-9a-f]{8}/) != nil)
        }
    }

    @Test("a tunnel passes bytes both ways until both sides have ended")
    func tunnel() async throws {
        try await Rig.with(origin: { origin in
            origin.send("hello\n")
            _ = await origin.stream.text(through: "bye\n")
            try? await origin.stream.finishSending()
        }) { rig in
            let stream = try await rig.connect()
            defer { stream.close() }
            stream.send("CONNECT \(rig.origin) HTTP/1.1\r\nHost: \(rig.origin)\r\n\r\n")
            #expect(await stream.text(through: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200 ") == true)
            #expect(await stream.text(through: "\n") == "hello\n")
            stream.send("bye\n")
            try await stream.finishSending()
            let end = await stream.rest()
            #expect(end == ("", true))
        }
    }

    @Test("a client that has ended its side gets its answer, but not for ever")
    func halfClosedClient() async throws {
        try await Rig.with({ $0.configuration.halfCloseTimeout = .seconds(3) }) { origin in
            while let head = await origin.nextHead() {
                await origin.stream.loop.sleep(for: .milliseconds(50))
                if head.contains("/stuck") {
                    origin.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart")
                } else if !head.contains("/silent") {
                    origin.send(answer())
                }
            }
        } _: { rig in
            for (path, status, ending) in [("/", 200, true), ("/stuck", 200, false), ("/silent", 504, true)] {
                let stream = try await rig.connect()
                stream.send(rig.head("GET", path))
                try await stream.finishSending()
                let (answer, isOrderly) = await stream.rest()
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(path)")
                #expect(isOrderly == ending, "\(path)")
                stream.close()
            }
        }
    }
}

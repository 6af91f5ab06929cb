import EventLoop
import HTTP
import Telemetry
import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(2)))
struct ClientConnectionTests {
    private static let ok: @Sendable (OriginConnection) async -> Void = { origin in
        while await origin.nextHead() != nil { origin.send(answer()) }
    }

    @Test("pipelined requests are answered in order, and the connection rests afterwards as after any other")
    func pipelined() async throws {
        try await Rig.with(
            {
                $0.configuration.headTimeout = .milliseconds(300)
                $0.configuration.idleClientTimeout = .seconds(600)
            }, origin: Self.ok
        ) { rig in
            let stream = try await rig.connect()
            defer { stream.close() }
            stream.send(rig.head("GET", "/1"))
            await rig.loop.sleep(for: .milliseconds(1))
            stream.send(rig.head("GET", "/2") + rig.head("GET", "/3"))
            for _ in 0..<3 { #expect(await stream.text(through: "\r\n\r\nok") != nil) }
            await rig.loop.sleep(for: .milliseconds(500))
            #expect(!stream.hasUnreadBytes, "the client asked for nothing")
            stream.send(rig.head("GET", "/4"))
            #expect(await stream.text(through: "\r\n\r\nok") != nil)
        }
    }

    @Test("a head that does not come whole in time is answered 408")
    func slowHead() async throws {
        try await Rig.with({ $0.configuration.headTimeout = .milliseconds(50) }, origin: { _ in }) { rig in
            let (answer, _) = try await rig.talk("GET http://a.test/ HTTP/1.1\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test("a client without a request is let go after the limit")
    func idle() async throws {
        try await Rig.with({ $0.configuration.idleClientTimeout = .milliseconds(50) }, origin: { _ in }) { rig in
            let outcome = try await rig.talk("")
            #expect(outcome == ("", true))
        }
    }

    @Test("a connection over the limit is told 503, whether it asks for anything or not")
    func overTheLimit() async throws {
        try await Rig.with({ $0.configuration.maxConnections = 1 }, origin: Self.ok) { rig in
            let first = try await rig.connect()
            defer { first.close() }
            first.send(rig.head())
            _ = await first.text(through: "\r\n\r\nok")
            for text in ["", rig.head()] {
                let (answer, _) = try await rig.talk(text)
                #expect(answer.hasPrefix("HTTP/1.1 503 "))
            }
        }
    }

    @Test("an answer of the proxy's own keeps the connection when the next request can be found")
    func keepsAfterRefusal() async throws {
        try await Rig.with(origin: Self.ok) { rig in
            let stream = try await rig.connect()
            defer { stream.close() }
            stream.send("GET http://169.254.169.254/ HTTP/1.1\r\nHost: a\r\n\r\n" + rig.head())
            #expect(await stream.text(through: "\r\n\r\n")?.hasPrefix("HTTP/1.1 403 ") == true)
            #expect(await stream.text(through: "\r\n\r\nok") != nil)
        }
    }
}

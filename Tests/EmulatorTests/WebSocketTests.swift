import Testing

@testable import Emulator

/// The WebSocket echo on the wire.
@Suite(.timeLimit(.minutes(1)))
struct WebSocketTests {
    private static let handshake =
        "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"

    private func withSocket(_ body: @escaping @Sendable (RawConnection) throws -> Void) async throws {
        try await Rig.with { rig in
            try await onThread {
                let connection = try RawConnection(rig.addresses.http)
                try connection.send(Self.handshake)
                let answer = try connection.answer()
                #expect(answer.status == 101)
                #expect(answer["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                #expect(answer["upgrade"] == "websocket")
                try body(connection)
            }
            #expect(try await rig.records().map { $0["status"] } == [101])
        }
    }

    @Test("Messages come back as they were, pings are answered, the close is completed")
    func echo() async throws {
        try await withSocket { connection in
            try connection.send(WebSocketDecoderTests.frame(0x81, [UInt8]("hello")))
            #expect(try connection.take(7) == [0x81, 5] + [UInt8]("hello"))
            let blob = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            try connection.send(
                WebSocketDecoderTests.frame(0x02, Array(blob[..<400_000])) + WebSocketDecoderTests.frame(0x89, [9]))
            #expect(try connection.take(3) == [0x8a, 1, 9])
            try connection.send(WebSocketDecoderTests.frame(0x80, Array(blob[400_000...])))
            #expect(try connection.take(10) == [0x82, 127, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40])
            #expect(try connection.take(1_000_000) == blob)
            try connection.send(WebSocketDecoderTests.frame(0x88, [0x03, 0xe8]))
            #expect(try connection.rest() == [0x88, 2, 0x03, 0xe8])
        }
    }

    @Test("A fault ends the connection with its code")
    func fault() async throws {
        try await withSocket { connection in
            try connection.send([0x81, 0x01, 0x41])
            #expect(try connection.rest() == [0x88, 2, 0x03, 0xea])
        }
    }

    @Test(
        "What is no handshake is refused, and the connection goes on",
        arguments: [
            ("GET /ws HTTP/1.1\r\nHost: a\r\n\r\n", 426),
            (handshake.replacing("Version: 13", with: "Version: 8"), 426),
            (handshake.replacing("dGhlIHNhbXBsZSBub25jZQ==", with: "short"), 400),
        ])
    func refused(request: String, status: Int) async throws {
        try await Rig.with { rig in
            try await onThread {
                let connection = try RawConnection(rig.addresses.http)
                try connection.send(request)
                #expect(try connection.answer().status == status)
                try connection.send(Self.handshake)
                #expect(try connection.answer().status == 101)
            }
        }
    }

    @Test("A challenged handshake is answered 202 and not upgraded")
    func challenged() async throws {
        try await Rig.with { rig in
            let answer = try await rig.exchange(Self.handshake.replacing("/ws", with: "/protected/ws"))
            #expect(answer.status == 202)
            #expect(answer["x-amzn-waf-action"] == "challenge")
        }
    }
}

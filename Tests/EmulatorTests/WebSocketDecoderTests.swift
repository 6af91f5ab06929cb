import Testing

@testable import Emulator

@Suite struct WebSocketDecoderTests {
    /// A frame as a client sends it.
    static func frame(_ first: UInt8, _ payload: [UInt8], mask: [UInt8] = [1, 2, 3, 4]) -> [UInt8] {
        var bytes = [first]
        switch payload.count {
        case ..<126: bytes.append(0x80 | UInt8(payload.count))
        case ..<65536: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: bytes += [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        bytes += mask
        for (i, byte) in payload.enumerated() { bytes.append(byte ^ mask[i % 4]) }
        return bytes
    }

    private func decode(_ bytes: [UInt8], step: Int = .max, limit: Int = 1 << 20) throws -> [WebSocketEvent] {
        var decoder = WebSocketDecoder(limit: limit)
        var events: [WebSocketEvent] = []
        var index = 0
        while index < bytes.count {
            let end = min(bytes.count, index + min(step, bytes.count))
            try decoder.decode(Array(bytes[index..<end]).span) { events.append($0) }
            index = end
        }
        return events
    }

    @Test(
        "Messages, fragments and control frames in between, however the bytes are cut",
        arguments: [1, 2, 3, 7, Int.max])
    func conversation(step: Int) throws {
        let long = [UInt8](repeating: 7, count: 70_000)
        let middle = [UInt8](repeating: 8, count: 200)
        let bytes =
            Self.frame(0x81, [UInt8]("hello")) + Self.frame(0x82, []) + Self.frame(0x01, [UInt8]("fra"))
            + Self.frame(0x89, [1])
            + Self.frame(0x00, [UInt8]("gmen")) + Self.frame(0x8a, []) + Self.frame(0x80, [UInt8]("ted"))
            + Self.frame(0x82, middle)
            + Self.frame(0x82, long) + Self.frame(0x88, [0x03, 0xe8] + [UInt8]("bye"))
        #expect(
            try decode(bytes, step: step) == [
                .text([UInt8]("hello")), .binary([]), .ping([1]), .pong([]), .text([UInt8]("fragmented")),
                .binary(middle), .binary(long),
                .close([0x03, 0xe8] + [UInt8]("bye")),
            ])
    }

    @Test("A character may be cut between fragments")
    func splitCharacter() throws {
        let text = [UInt8]("é")
        let bytes = Self.frame(0x01, [text[0]]) + Self.frame(0x80, [text[1]])
        #expect(try decode(bytes) == [.text(text)])
    }

    @Test(
        "Faults, each with its code",
        arguments: [
            ([0x81, 0x05], WebSocketFault.protocolError), ([0xc1, 0x80], .protocolError),
            ([0x83, 0x80], .protocolError), ([0x8b, 0x80], .protocolError),
            ([0x09, 0x80], .protocolError), ([0x89, 0xfe], .protocolError), ([0x80, 0x80], .protocolError),
            ([0x82, 0xfe, 0x00, 0x05, 1, 2, 3, 4], .protocolError),
            ([0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4], .protocolError),
            ([0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 1, 2, 3, 4], .protocolError),
            ([0x82, 0xff, 0, 0, 0, 0, 0, 0x20, 0, 0, 1, 2, 3, 4], .tooBig),
            (frame(0x81, [0xff]), .notUTF8), (frame(0x88, [3]), .protocolError),
            (frame(0x88, [0x03, 0xed]), .protocolError),
            (frame(0x88, [0x03, 0xe8, 0xff]), .notUTF8), (frame(0x01, []) + frame(0x81, []), .protocolError),
        ] as [([UInt8], WebSocketFault)])
    func faults(bytes: [UInt8], fault: WebSocketFault) {
        #expect(throws: fault) { try decode(bytes) }
        #expect(throws: fault) { try decode(bytes, step: 1) }
    }

    @Test("The bound holds for all fragments of a message together, not over messages")
    func limit() throws {
        #expect(throws: WebSocketFault.tooBig) {
            try decode(Self.frame(0x02, [1, 2, 3]) + Self.frame(0x80, [1, 2]), limit: 4)
        }
        #expect(try decode(Self.frame(0x82, [1, 2, 3]) + Self.frame(0x82, [1, 2, 3]), limit: 4).count == 2)
    }
}

internal import HTTP
internal import TLS

/// Frame types (RFC 6455 §11.8).
enum WebSocketOpcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
}

/// Why a connection is ended: the status code of the close frame (RFC 6455 §7.4.1).
enum WebSocketFault: UInt16, Error, Sendable {
    case protocolError = 1002
    case notUTF8 = 1007
    case tooBig = 1009
}

/// What a client sent, whole.
enum WebSocketEvent: Sendable, Equatable {
    case text([UInt8])
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// The payload: empty, or a status code and a reason in UTF-8.
    case close([UInt8])
}

/// The server's side of framing and of the handshake.
enum WebSocketFrame {
    /// The value of `Sec-WebSocket-Accept` for a key (RFC 6455 §4.2.2).
    static func acceptKey(for key: [UInt8]) -> String {
        let text = key + Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
        return String(decoding: Base64.encode(SHA1.hash(text.span).bytes), as: UTF8.self)
    }

    /// Whether a key is 16 bytes in base 64 (RFC 6455 §4.2.1).
    static func isKey(_ key: [UInt8]) -> Bool { key.count == 24 && Base64.decode(key)?.count == 16 }

    /// Adds the head of a final, unmasked frame; the payload follows.
    static func writeHead(_ opcode: WebSocketOpcode, length: Int, into out: inout [UInt8]) {
        out.append(0x80 | opcode.rawValue)
        switch length {
        case ..<126: out.append(UInt8(length))
        case ..<65536:
            out.append(126)
            out.append(UInt8(length >> 8))
            out.append(UInt8(truncatingIfNeeded: length))
        default:
            out.append(127)
            for shift in stride(from: 56, through: 0, by: -8) { out.append(UInt8(truncatingIfNeeded: length >> shift)) }
        }
    }

    /// A whole frame.
    static func write(_ opcode: WebSocketOpcode, _ payload: [UInt8], into out: inout [UInt8]) {
        writeHead(opcode, length: payload.count, into: &out)
        out.append(contentsOf: payload)
    }

    /// The payload of a close frame without a reason.
    static func closePayload(_ fault: WebSocketFault) -> [UInt8] {
        [UInt8(fault.rawValue >> 8), UInt8(truncatingIfNeeded: fault.rawValue)]
    }
}

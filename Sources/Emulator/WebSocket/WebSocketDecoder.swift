/// Takes a client's bytes as they come and gives its messages, unmasked and put together (RFC 6455 §5).
///
/// Pure. After a fault it must not be used again.
struct WebSocketDecoder {
    /// Messages of more bytes are refused with 1009.
    let limit: Int

    private var head: [UInt8] = []
    private var frame: Frame?
    private var payload: [UInt8] = []
    /// The type of the message whose fragments are being collected.
    private var messageOpcode: WebSocketOpcode?
    private var message: [UInt8] = []

    private struct Frame {
        var isFinal: Bool
        var opcode: WebSocketOpcode
        var mask: (UInt8, UInt8, UInt8, UInt8)
        var left: Int
    }

    init(limit: Int = 64 << 20) { self.limit = limit }

    /// Takes all of these bytes; gives each message or control frame once it is whole.
    mutating func decode(_ bytes: Span<UInt8>, _ emit: (WebSocketEvent) -> Void) throws(WebSocketFault) {
        var index = 0
        while index < bytes.count || frame?.left == 0 {
            if let open = frame {
                let count = min(open.left, bytes.count - index)
                append(bytes.extracting(index..<(index + count)), mask: open.mask)
                index += count
                frame?.left -= count
                if open.left == count { try finishFrame(open, emit) }
            } else {
                head.append(bytes[index])
                index += 1
                try parseHead()
            }
        }
    }

    private mutating func parseHead() throws(WebSocketFault) {
        guard head.count >= 2 else { return }
        let extra = head[1] & 0x7f == 127 ? 8 : head[1] & 0x7f == 126 ? 2 : 0
        guard head.count == 2 + extra + 4 else {
            // What is wrong already need not wait for the rest.
            return try checkStart()
        }
        try checkStart()
        var length = UInt64(head[1] & 0x7f)
        if extra > 0 {
            length = head[2..<(2 + extra)].reduce(0) { $0 << 8 | UInt64($1) }
            let isMinimal = extra == 2 ? length >= 126 : length >= 65536
            guard isMinimal, length >> 63 == 0 else { throw .protocolError }
        }
        guard let opcode = WebSocketOpcode(rawValue: head[0] & 0x0f) else { throw .protocolError }
        if !opcode.isControl, length > UInt64(limit - message.count) { throw .tooBig }
        let mask = head[(2 + extra)...].prefix(4)
        let m = mask.startIndex
        frame = Frame(
            isFinal: head[0] & 0x80 != 0, opcode: opcode, mask: (mask[m], mask[m + 1], mask[m + 2], mask[m + 3]),
            left: Int(length))
        head.removeAll(keepingCapacity: true)
        payload.removeAll(keepingCapacity: true)
    }

    /// Reserved bits, unknown types, control frames in pieces or too long, unmasked frames, fragments out of order.
    private func checkStart() throws(WebSocketFault) {
        guard head[0] & 0x70 == 0, head[1] & 0x80 != 0, let opcode = WebSocketOpcode(rawValue: head[0] & 0x0f) else {
            throw .protocolError
        }
        if opcode.isControl {
            guard head[0] & 0x80 != 0, head[1] & 0x7f < 126 else { throw .protocolError }
        } else {
            guard (opcode == .continuation) == (messageOpcode != nil) else { throw .protocolError }
        }
    }

    private mutating func append(_ bytes: Span<UInt8>, mask: (UInt8, UInt8, UInt8, UInt8)) {
        let offset = payload.count
        bytes.withUnsafeBufferPointer { payload.append(contentsOf: $0) }
        payload.withUnsafeMutableBufferPointer { buffer in
            for i in offset..<buffer.count {
                buffer[i] ^= i & 2 == 0 ? (i & 1 == 0 ? mask.0 : mask.1) : (i & 1 == 0 ? mask.2 : mask.3)
            }
        }
    }

    private mutating func finishFrame(_ done: Frame, _ emit: (WebSocketEvent) -> Void) throws(WebSocketFault) {
        frame = nil
        switch done.opcode {
        case .ping: emit(.ping(payload))
        case .pong: emit(.pong(payload))
        case .close:
            try checkClose()
            emit(.close(payload))
        case .text, .binary, .continuation:
            if done.opcode != .continuation { messageOpcode = done.opcode }
            message.append(contentsOf: payload)
            guard done.isFinal else { return }
            let isText = messageOpcode == .text
            messageOpcode = nil
            if isText, String(validating: message, as: UTF8.self) == nil { throw .notUTF8 }
            emit(isText ? .text(message) : .binary(message))
            message = []
        }
        payload = []
    }

    /// Nothing, or a status code that may be sent and a reason in UTF-8 (RFC 6455 §5.5.1, §7.4).
    private func checkClose() throws(WebSocketFault) {
        if payload.isEmpty { return }
        guard payload.count >= 2 else { throw .protocolError }
        switch UInt16(payload[0]) << 8 | UInt16(payload[1]) {
        case 1000...1003, 1007...1014, 3000...4999: break
        default: throw .protocolError
        }
        if String(validating: payload[2...], as: UTF8.self) == nil { throw .notUTF8 }
    }
}

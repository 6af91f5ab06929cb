internal import EventLoop
internal import HTTP

/// The WebSocket echo (RFC 6455): each message comes back as it was, pings are answered, the close is completed.
extension Application {
    func webSocket() async throws(ExchangeFailure) {
        let fields = exchange.head.fields
        guard exchange.head.upgradesToWebSocket, let index = fields.index(of: .secWebSocketKey) else {
            return exchange.answer(
                json: ["error": "a WebSocket handshake is needed"], status: 426,
                fields: [("Upgrade", "websocket"), ("Connection", "Upgrade")])
        }
        let version = fields.index(ofName: "sec-websocket-version").map { fields.value($0).equals("13") } ?? false
        guard version else {
            return exchange.answer(
                json: ["error": "version 13 only"], status: 426,
                fields: [("Sec-WebSocket-Version", "13"), ("Upgrade", "websocket"), ("Connection", "Upgrade")])
        }
        let key = fields.value(index).withUnsafeBufferPointer { Array($0) }
        guard WebSocketFrame.isKey(key) else {
            return exchange.answer(json: ["error": "malformed Sec-WebSocket-Key"], status: 400)
        }
        exchange.switchProtocols([
            ("Upgrade", "websocket"), ("Connection", "Upgrade"),
            ("Sec-WebSocket-Accept", WebSocketFrame.acceptKey(for: key)),
        ])
        exchange.fate = .close
        do throws(ChannelFailure) { try await echoMessages() } catch { throw .connection }
    }

    private func echoMessages() async throws(ChannelFailure) {
        let channel = exchange.channel
        var decoder = WebSocketDecoder()
        var outgoing: [UInt8] = []
        var isOver = false
        repeat {
            do throws(WebSocketFault) {
                try decoder.decode(channel.inbound) { event in
                    if isOver { return }
                    switch event {
                    case .text(let message): WebSocketFrame.write(.text, message, into: &outgoing)
                    case .binary(let message): WebSocketFrame.write(.binary, message, into: &outgoing)
                    case .ping(let payload): WebSocketFrame.write(.pong, payload, into: &outgoing)
                    case .pong: break
                    case .close(let payload):
                        WebSocketFrame.write(.close, payload, into: &outgoing)
                        isOver = true
                    }
                }
            } catch {
                WebSocketFrame.write(.close, WebSocketFrame.closePayload(error), into: &outgoing)
                isOver = true
            }
            channel.consumeAll()
            channel.send(outgoing.span)
            outgoing = []
            try await channel.drained()
            if isOver { return }
        } while try await channel.receive()
    }
}

extension Span<UInt8> {
    fileprivate func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for i in 0..<count where self[i] != text.utf8Start[i] { return false }
        return true
    }
}

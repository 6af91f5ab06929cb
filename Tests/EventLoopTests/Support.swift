import EventLoop

/// Runs `body` on a fresh loop, which is stopped afterwards, and gives back its result.
func onLoop<Result: Sendable>(_ body: @escaping @Sendable (EventLoop) async throws -> Result) async throws -> Result {
    let loop = try EventLoop(name: "test")
    loop.start()
    defer { loop.stop() }
    return try await withCheckedThrowingContinuation { continuation in
        loop.spawn {
            do { continuation.resume(returning: try await body(loop)) } catch { continuation.resume(throwing: error) }
        }
    }
}

/// A listener on a free loopback port of `loop` that runs `serve` for every connection. Call on the loop.
func serve(
    on loop: EventLoop, ip: String = "127.0.0.1", _ serve: @escaping @Sendable (Stream) async -> Void
) throws -> Listener {
    let socket = try ListenerGroup.bind(SocketAddress(ip: ip, port: 0)!, count: 1)[0]
    return try Listener(loop: loop, socket: socket) { stream in
        nonisolated(unsafe) let stream = stream
        loop.spawn { await serve(stream) }
    }
}

extension Stream {
    /// All bytes up to the peer's end.
    func receiveAll() async throws -> [UInt8] {
        var all: [UInt8] = []
        repeat {
            let bytes = inbound
            for i in bytes.indices { all.append(bytes[i]) }
            consume(bytes.count)
        } while try await receive()
        return all
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        send(bytes.span)
    }
}

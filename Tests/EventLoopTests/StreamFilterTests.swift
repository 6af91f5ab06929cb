import EventLoop
import Testing

@Suite struct StreamFilterTests {
    /// Turns every byte around; a zero on the wire is the peer's end, 255 nonsense.
    private final class Turning: StreamFilter {
        private var output: [UInt8] = []
        private var didFinish = false

        func decode(_ wire: Span<UInt8>, into plain: inout ByteQueue) -> StreamFilterState {
            for index in wire.indices {
                switch wire[index] {
                case 0: return .ended
                case 255: return .broken
                default: plain.append([wire[index] ^ 0x55].span)
                }
            }
            return .open
        }

        func encode(_ plain: Span<UInt8>) {
            for index in plain.indices { output.append(plain[index] ^ 0x55) }
        }

        func finish() {
            if !didFinish { output.append(0) }
            didFinish = true
        }

        func withOutput(_ body: (Span<UInt8>) -> Void) {
            guard !output.isEmpty else { return }
            let bytes = output
            output = []
            body(bytes.span)
        }
    }

    private static func pair(
        on loop: EventLoop, _ answer: @escaping @Sendable (Stream) async -> Void
    ) async throws -> Stream {
        let listener = try serve(on: loop, answer)
        return try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
    }

    @Test("what is sent arrives on the far side of two filters, a large body as well, and the end in order")
    func roundTrip() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 % 199) }
            .filter { $0 != 0x55 && $0 != 0xaa }
        let answer = try await onLoop { loop in
            let client = try await Self.pair(on: loop) { peer in
                peer.attach(Turning())
                let bytes = (try? await peer.receiveAll()) ?? []
                peer.send(bytes.span)
                try? await peer.finishSending()
                peer.close()
            }
            client.attach(Turning())
            var sent = 0
            while sent < body.count {
                let end = min(sent + 70_000, body.count)
                client.send(Array(body[sent..<end]).span)
                sent = end
                try await client.drained()
            }
            try await client.finishSending()
            let bytes = try await client.receiveAll()
            client.close()
            return bytes
        }
        #expect(answer == body)
    }

    @Test("three pieces are encoded in order")
    func pieces() async throws {
        let answer = try await onLoop { loop in
            let client = try await Self.pair(on: loop) { peer in
                peer.attach(Turning())
                peer.send([1], [2, 3].span, [4])
                peer.close()  // says the protocol's end as well
            }
            client.attach(Turning())
            let bytes = try await client.receiveAll()
            client.close()
            return bytes
        }
        #expect(answer == [1, 2, 3, 4])
    }

    @Test("the protocol's own end is the end, whatever comes after it on the wire")
    func endInside() async throws {
        let answer = try await onLoop { loop in
            let client = try await Self.pair(on: loop) { peer in
                peer.send([7 ^ 0x55, 0, 9])
                _ = try? await peer.receive()
                peer.close()
            }
            client.attach(Turning())
            let bytes = try await client.receiveAll()
            client.close()
            return bytes
        }
        #expect(answer == [7])
    }

    @Test("what cannot be decoded breaks the stream, after the bytes before it")
    func broken() async throws {
        let (first, error) = try await onLoop { loop in
            let client = try await Self.pair(on: loop) { peer in
                peer.send([7 ^ 0x55, 255])
                _ = try? await peer.receive()
                peer.close()
            }
            client.attach(Turning())
            let first = try await client.receive() ? client.inbound[0] : 0
            var error: StreamError?
            do throws(StreamError) { _ = try await client.receive() } catch let fault { error = fault }
            client.close()
            return (first, error)
        }
        #expect(first == 7)
        guard case .failed(let cause) = error else {
            Issue.record("no failure: \(String(describing: error))")
            return
        }
        #expect(cause.description.contains("protocol error"))
    }
}

import EventLoop
import Telemetry
import Testing

@Suite struct StreamTests {
    @Test("bytes come back from an echo peer, and half-close is seen on both sides")
    func echo() async throws {
        let answer = try await onLoop { loop in
            let listener = try serve(on: loop) { peer in
                let bytes = (try? await peer.receiveAll()) ?? []
                peer.send(bytes.span)
                try? await peer.finishSending()
                peer.close()
            }
            let stream = try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
            stream.send("hello ")
            stream.send("loop")
            try await stream.finishSending()
            let bytes = try await stream.receiveAll()
            stream.close()
            return bytes
        }
        #expect(answer == Array("hello loop".utf8))
    }

    @Test("a body larger than every buffer arrives whole although the reader starts late")
    func backPressure() async throws {
        let size = 8 << 20
        let (received, wasCongested) = try await onLoop { loop in
            let listener = try serve(on: loop) { peer in
                let block = (0..<65536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                var sent = 0
                while sent < size {
                    peer.send(block.span)
                    sent += block.count
                    do { try await peer.drained() } catch { return }
                }
                try? await peer.finishSending()
                peer.close()
            }
            let stream = try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
            while stream.inbound.count < Stream.inboundHighWatermark { await loop.sleep(for: .milliseconds(1)) }
            let filled = stream.inbound.count
            await loop.sleep(for: .milliseconds(20))
            let isBounded = stream.inbound.count == filled
            // Asking for more without consuming is granted.
            _ = try await stream.receive()
            _ = try await stream.receive()
            let bytes = try await stream.receiveAll()
            stream.close()
            let isRight = bytes.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: ($0 % 65536) &* 31) }
            return (isRight ? bytes.count : -1, isBounded)
        }
        #expect(received == size)
        #expect(wasCongested)
    }

    @Test("three pieces arrive as one, whatever of them the kernel takes at first")
    func pieces() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let received = try await onLoop { loop in
            let listener = try serve(on: loop) { peer in
                for _ in 0..<3 { peer.send(Array("head ".utf8).span, body.span, Array(" tail".utf8).span) }
                try? await peer.finishSending()
                peer.close()
            }
            let stream = try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
            defer { stream.close() }
            return try await stream.receiveAll()
        }
        let once = Array("head ".utf8) + body + Array(" tail".utf8)
        #expect(received == once + once + once)
    }

    @Test("an orderly end by the peer is told while nobody waits")
    func endIsTold() async throws {
        try await onLoop { loop in
            let listener = try serve(on: loop) { $0.close() }
            let stream = try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
            await withCheckedContinuation { told in stream.onEnd = { told.resume() } }
            stream.close()
        }
    }

    @Test("a reset by the peer wakes the reader with an error, and is told while nobody waits")
    func reset() async throws {
        let (error, told) = try await onLoop { loop in
            let listener = try serve(on: loop) { peer in
                _ = try? await peer.receive()
                peer.reset()
            }
            let stream = try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
            nonisolated(unsafe) var told = false
            stream.onFailure = { told = true }
            stream.send("x")
            do throws(StreamError) {
                _ = try await stream.receive()
                return (nil as StreamError?, told)
            } catch {
                return (error, told)
            }
        }
        guard case .failed = error else {
            Issue.record("expected a failure, got \(String(describing: error))")
            return
        }
        #expect(told)
    }

    @Test("a wait with a limit ends with timedOut and the stream stays usable")
    func deadline() async throws {
        let (first, second) = try await onLoop { loop in
            let listener = try serve(on: loop) { peer in
                _ = try? await peer.receive()
                peer.send("late")
            }
            let stream = try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
            var first: StreamError?
            do throws(StreamError) { _ = try await stream.receive(within: .milliseconds(10)) } catch { first = error }
            stream.send("now")
            let second = try await stream.receive(within: .seconds(60))
            stream.close()
            return (first, second)
        }
        #expect(first == .timedOut)
        #expect(second)
    }

    @Test("a wait that is stopped ends as if its time was up")
    func stopWaiting() async throws {
        let error = try await onLoop { loop in
            let listener = try serve(on: loop) { peer in _ = try? await peer.receive() }
            let stream = try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
            let timer = LoopTimer(loop: loop) { stream.stopWaiting() }
            timer.start(after: .milliseconds(5))
            defer {
                timer.close()
                stream.close()
            }
            do throws(StreamError) {
                _ = try await stream.receive()
                return nil as StreamError?
            } catch {
                return error
            }
        }
        #expect(error == .timedOut)
    }

    @Test("a peer that takes nothing for too long is told from a slow one")
    func stall() async throws {
        let (error, slow) = try await onLoop { loop in
            let listener = try serve(on: loop) { peer in
                // Takes a little, now and then, and then nothing any more.
                for _ in 0..<60 {
                    peer.consume(min(peer.inbound.count, 200_000))
                    await loop.sleep(for: .milliseconds(5))
                }
            }
            let stream = try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
            defer { stream.close() }
            let block = [UInt8](repeating: 7, count: 1 << 20)
            var rounds = 0
            do throws(StreamError) {
                while rounds < 100 {
                    stream.send(block)
                    try await stream.drained(stallLimit: .seconds(1))
                    rounds += 1
                }
                return (nil as StreamError?, rounds)
            } catch {
                return (error, rounds)
            }
        }
        #expect(error == .timedOut)
        #expect(slow >= 2)
    }

    @Test("a reset is noticed also while so much waits that nothing more is read")
    func resetBehindWatermark() async throws {
        let told = try await onLoop { loop in
            let isFull = Lock(false)
            let listener = try serve(on: loop) { peer in
                let block = [UInt8](repeating: 7, count: 2 * Stream.inboundHighWatermark)
                peer.send(block)
                while !isFull.withLock({ $0 }) { await loop.sleep(for: .milliseconds(1)) }
                peer.reset()
            }
            let stream = try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
            defer { stream.close() }
            var told = false
            stream.onFailure = { told = true }
            while stream.inbound.count < Stream.inboundHighWatermark { await loop.sleep(for: .milliseconds(1)) }
            isFull.withLock { $0 = true }
            for _ in 0..<6000 where !told { await loop.sleep(for: .milliseconds(10)) }
            return told
        }
        #expect(told)
    }

    @Test("closing a stream while somebody waits resumes the waiter with closed")
    func closeWakes() async throws {
        let error = try await onLoop { loop in
            let listener = try serve(on: loop) { peer in _ = try? await peer.receive() }
            let stream = try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
            let timer = LoopTimer(loop: loop) { stream.close() }
            timer.start(after: .milliseconds(5))
            defer { timer.close() }
            do throws(StreamError) {
                _ = try await stream.receive()
                return nil as StreamError?
            } catch {
                return error
            }
        }
        #expect(error == .closed)
    }

    @Test("connecting to a port where nobody listens fails with the system's word for it")
    func refused() async throws {
        let error = try await onLoop { loop in
            let socket = try ListenerGroup.bind(SocketAddress(ip: "127.0.0.1", port: 0)!, count: 1)[0]
            do throws(StreamError) {
                _ = try await Stream.connect(to: socket.address, on: loop, timeout: .seconds(60))
                return nil as StreamError?
            } catch {
                return error
            }
        }
        guard case .failed(let cause) = error else {
            Issue.record("expected a failure")
            return
        }
        #expect(cause.description == "connect: connection refused")
    }
}

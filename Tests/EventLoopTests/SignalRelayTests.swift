import Glibc
import Testing

@testable import EventLoop

@Suite struct SignalRelayTests {
    @Test func `every signal is told, and one that a process sent is not the terminal's`() async throws {
        let seen: [Int32] = try await onLoop { loop in
            let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
            let relay = try SignalRelay(loop: loop, signals: [SIGWINCH, SIGURG]) { signal, isFromTerminal in
                continuation.yield(isFromTerminal ? -signal : signal)
            }
            var seen: [Int32] = []
            var iterator = signals.makeAsyncIterator()
            for signal in [SIGWINCH, SIGURG, SIGWINCH] {
                kill(getpid(), signal)
                if let signal = await iterator.next() { seen.append(signal) }
            }
            withExtendedLifetime(relay) {}
            return seen
        }
        #expect(seen == [SIGWINCH, SIGURG, SIGWINCH])
    }
}

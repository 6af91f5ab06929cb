import EventLoop
import Telemetry
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LoopTimerTests {
    @Test("A sleep ends with its loop, as do all that follow it")
    func sleepEndsWithTheLoop() async throws {
        let loop = try EventLoop(name: "test")
        loop.start()
        async let slept: Int = loop.run {
            for _ in 0..<3 { await loop.sleep(for: .seconds(600)) }
            return 3
        }
        await loop.run { await loop.sleep(for: .milliseconds(20)) }
        loop.stop()
        #expect(await slept == 3)
    }

    @Test("A cancelled sleep ends at once")
    func cancelled() async throws {
        try await onLoop { loop in
            let task = Task(executorPreference: loop) { await loop.sleep(for: .seconds(600)) }
            task.cancel()
            await task.value
        }
    }

    @Test("A timer tells once that it can fire no more")
    func tellsOfItsEnd() async throws {
        let ends = try await onLoop { loop in
            var ends = 0
            let timer = LoopTimer(loop: loop, onClose: { ends += 1 }, {})
            timer.start(after: .seconds(600))
            timer.close()
            timer.close()
            return ends
        }
        #expect(ends == 1)
    }

    /// Keeps hold of a task that can never end, so that it does not count as leaked.
    private static let leftBehind = Lock<[Task<Void, Never>]>([])

    @Test("A loop whose tasks never cease to sleep ends all the same")
    func endlessSleeper() async throws {
        let loop = try EventLoop(name: "test")
        loop.start()
        let sleeper = Task<Void, Never>(executorPreference: loop) {
            while true { await loop.sleep(for: .seconds(600)) }
        }
        Self.leftBehind.withLock { $0.append(sleeper) }
        await loop.run {}
        let start = EventLoop.preciseNow
        loop.stop()
        #expect(EventLoop.preciseNow - start < .seconds(30))
    }
}

import EventLoop
import Telemetry
import Testing

@Suite struct EventLoopTests {
    @Test("an async function stays on the loop across awaits of other executors")
    func staysHome() async throws {
        actor Elsewhere { func answer() -> Int { 42 } }
        let places = try await onLoop { loop in
            var places = [loop.isCurrent]
            let elsewhere = Elsewhere()
            _ = await elsewhere.answer()
            places.append(loop.isCurrent)
            await Task.yield()
            places.append(loop.isCurrent)
            await loop.sleep(for: .milliseconds(1))
            places.append(EventLoop.current === loop)
            return places
        }
        #expect(places == [true, true, true, true])
    }

    @Test("between a check and the wait that depends on it nothing else of the loop runs")
    func noGapBeforeWaiting() async throws {
        final class Gate {
            var isOpen = false
            var waiter: UnsafeContinuation<Void, Never>?
            func wait() async {
                if isOpen { return }
                await withUnsafeContinuation { waiter = $0 }
            }
            func open() {
                isOpen = true
                waiter?.resume()
            }
        }
        for _ in 0..<200 {
            try await onLoop { loop in
                let gate = Gate()
                nonisolated(unsafe) let shared = gate
                loop.spawn { shared.open() }
                await gate.wait()
            }
        }
    }

    @Test("an actor pinned to a loop runs there")
    func pinnedActor() async throws {
        actor Pinned {
            nonisolated let loop: EventLoop
            nonisolated var unownedExecutor: UnownedSerialExecutor { loop.serialExecutor.asUnownedSerialExecutor() }
            init(loop: EventLoop) { self.loop = loop }
            func isHome() -> Bool { loop.isCurrent }
        }
        let loop = try EventLoop(name: "pinned")
        loop.start()
        defer { loop.stop() }
        #expect(await Pinned(loop: loop).isHome())
    }

    @Test("closures from many threads all run, each thread's in its order")
    func crossThread() async throws {
        let loop = try EventLoop(name: "inbox")
        loop.start()
        let seen = Mutexed()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for step in 0..<1000 { loop.execute { seen.add(thread, step) } }
                }
            }
        }
        loop.stop()
        let all = seen.all
        #expect(all.count == 8000)
        for thread in 0..<8 {
            #expect(all.filter { $0.0 == thread }.map(\.1) == Array(0..<1000))
        }
    }

    /// Only ever touched on one loop, read after that loop has ended.
    final class Mutexed: @unchecked Sendable {
        private(set) var all: [(Int, Int)] = []
        func add(_ thread: Int, _ step: Int) { all.append((thread, step)) }
    }

    @Test("a cancelled sleep ends at once")
    func cancelledSleep() async throws {
        let loop = try EventLoop(name: "sleep")
        loop.start()
        defer { loop.stop() }
        let task = Task(executorPreference: loop) { await loop.sleep(for: .seconds(3600)) }
        task.cancel()
        await task.value
    }

    @Test("jobs that keep coming do not keep timers from firing")
    func fairness() async throws {
        let rounds = try await onLoop { loop in
            nonisolated(unsafe) var isDone = false
            let timer = LoopTimer(loop: loop) { isDone = true }
            timer.start(after: .milliseconds(2))
            defer { timer.close() }
            var rounds = 0
            while !isDone {
                rounds += 1
                await Task.yield()
            }
            return rounds
        }
        #expect(rounds > 0)
    }

    @Test("stopping a loop closes what is open and wakes who waits")
    func stopWakes() async throws {
        let loop = try EventLoop(name: "stop")
        loop.start()
        let reached = Lock<[String]>([])
        await confirmation { woken in
            await withCheckedContinuation { (ready: CheckedContinuation<Void, Never>) in
                loop.spawn {
                    guard let listener = try? serve(on: loop, { _ = try? await $0.receive() }),
                        let stream = try? await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
                    else { return ready.resume() }
                    reached.withLock { $0.append("started") }
                    loop.execute { ready.resume() }
                    do throws(StreamError) { _ = try await stream.receive() } catch {
                        if error == .closed { woken() }
                    }
                    reached.withLock { $0.append("finished") }
                }
            }
            loop.stop()
        }
        #expect(reached.withLock { $0 } == ["started", "finished"])
    }
}

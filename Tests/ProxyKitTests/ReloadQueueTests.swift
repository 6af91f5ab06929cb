import Telemetry
import Testing

@testable import ProxyKit

@Suite struct ReloadQueueTests {
    @Test("one runs after the other, each gets its own outcome")
    func order() async {
        let queue = ReloadQueue()
        let running = Lock(0)
        await withTaskGroup(of: ReloadOutcome.self) { group in
            for number in 0..<20 {
                group.addTask {
                    await queue.run {
                        #expect(
                            running.withLock { count in
                                count += 1; return count
                            } == 1)
                        await Task.yield()
                        running.withLock { $0 -= 1 }
                        return .refused(["\(number)"])
                    }
                }
            }
            var seen: Set<String> = []
            for await case .refused(let lines) in group { seen.formUnion(lines) }
            #expect(seen.count == 20)
        }
    }
}

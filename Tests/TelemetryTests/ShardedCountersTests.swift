import Synchronization
import Testing

@testable import Telemetry

@Suite struct ShardedCountersTests {
    @Test("what several threads add at once is all there, each number by itself")
    func threads() async {
        let counters = ShardedCounters(count: 9, shards: 3)
        await withTaskGroup { group in
            for task in 0..<6 {
                group.addTask {
                    for turn in 0..<9000 { counters.add(at: turn % 9, shard: task) }
                }
            }
        }
        #expect((0..<9).map { counters.value(at: $0) } == [UInt64](repeating: 6000, count: 9))
    }

    @Test("amounts add up, and a number nobody raised is zero")
    func amounts() {
        let counters = ShardedCounters(count: 2, shards: 1)
        counters.add(40, at: 1, shard: 0)
        counters.add(2, at: 1, shard: 7)
        #expect(counters.value(at: 0) == 0 && counters.value(at: 1) == 42)
    }
}

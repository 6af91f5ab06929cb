import Testing

@testable import Telemetry

@Suite struct HistogramTests {
    @Test("a duration counts in its own bucket and all above; a bound belongs to its bucket")
    func buckets() {
        let histogram = Histogram(bounds: [100, 1000, 10_000], shards: 2)
        for (index, duration) in [0, 100, 101, 1000, 9999, 10_001, 500_000].enumerated() {
            histogram.observe(microseconds: UInt64(duration), shard: index)
        }
        let reading = histogram.reading
        #expect(reading.bounds == [100, 1000, 10_000])
        #expect(reading.cumulative == [2, 4, 5])
        #expect(reading.count == 7)
        #expect(reading.sum == 521_201)
    }
}

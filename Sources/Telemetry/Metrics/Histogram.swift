/// How long things took, counted in buckets. Any thread; nothing allocates or waits after `init`.
public final class Histogram: Sendable {
    /// What was counted up to now.
    public struct Reading: Sendable, Equatable {
        /// Upper bounds in microseconds, rising; what took longer than the last is in none of them.
        public let bounds: [UInt64]
        /// For each bound, how many took at most so long.
        public let cumulative: [UInt64]
        /// How many there were.
        public let count: UInt64
        /// All durations together, in microseconds.
        public let sum: UInt64
    }

    private let bounds: [UInt64]
    // One number a bucket, one for what is longer than all, one for the sum.
    private let cells: ShardedCounters

    /// `bounds` in microseconds, rising.
    public init(bounds: [UInt64], shards: Int) {
        self.bounds = bounds
        cells = ShardedCounters(count: bounds.count + 2, shards: shards)
    }

    /// Counts one that took so long.
    public func observe(microseconds: UInt64, shard: Int) {
        var place = 0
        while place < bounds.count, microseconds > bounds[place] { place += 1 }
        cells.add(at: place, shard: shard)
        cells.add(microseconds, at: bounds.count + 1, shard: shard)
    }

    /// What was counted up to now: the buckets agree with each other, the sum may be some observations off.
    public var reading: Reading {
        var count: UInt64 = 0
        let cumulative = bounds.indices.map { place in
            count += cells.value(at: place)
            return count
        }
        count += cells.value(at: bounds.count)
        return Reading(bounds: bounds, cumulative: cumulative, count: count, sum: cells.value(at: bounds.count + 1))
    }
}

import Synchronization

/// A row of numbers that only rise, kept once for each thread that raises them, so that threads do not wait for each
/// other's cache lines. Any thread may read and raise; nothing allocates or waits after `init`.
///
/// Owns its memory. What a number stands for is its place, so that no label can be made at run time.
public final class ShardedCounters: @unchecked Sendable {
    /// How many numbers there are.
    public let count: Int
    private let shards: Int
    private let stride: Int
    private let cells: UnsafeMutablePointer<Atomic<UInt64>>

    private static let cellsOfCacheLine = 8

    /// `count` numbers for each of `shards` threads, all zero.
    public init(count: Int, shards: Int) {
        precondition(count > 0 && shards > 0, "a row has numbers and a thread")
        self.count = count
        self.shards = shards
        stride = (count + Self.cellsOfCacheLine - 1) / Self.cellsOfCacheLine * Self.cellsOfCacheLine
        let size = MemoryLayout<Atomic<UInt64>>.stride * stride * shards
        cells = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
            .bindMemory(to: Atomic<UInt64>.self, capacity: stride * shards)
        for cell in 0..<stride * shards { (cells + cell).initialize(to: Atomic(0)) }
    }

    deinit {
        cells.deinitialize(count: stride * shards)
        UnsafeMutableRawPointer(cells).deallocate()
    }

    /// Raises the number at `place`. `shard` names the thread; one too many shares with another.
    public func add(_ amount: UInt64 = 1, at place: Int, shard: Int) {
        precondition(place >= 0 && place < count, "no such number")
        cells[shard % shards * stride + place].wrappingAdd(amount, ordering: .relaxed)
    }

    /// What all threads together have added at `place`.
    public func value(at place: Int) -> UInt64 {
        precondition(place >= 0 && place < count, "no such number")
        return (0..<shards).reduce(0) { $0 &+ cells[$1 * stride + place].load(ordering: .relaxed) }
    }
}

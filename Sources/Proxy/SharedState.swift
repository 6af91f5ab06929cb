internal import EventLoop
internal import Synchronization
internal import Telemetry
internal import Upstream

/// What all loops of one proxy share. Safe on any thread.
final class SharedState: Sendable {
    let replayBudget: ReplayBudget
    let connections = Gauge()
    let tunnels = Gauge()
    let hints: Hints
    let metrics: ProxyMetrics
    let flows: FlowRing
    let trust: TrustTroubles
    private let loops: [ObjectIdentifier]

    init(loops: [EventLoop], replayBudget: ReplayBudget, metrics: ProxyMetrics, flows: FlowRing, logger: Logger) {
        self.flows = flows
        self.metrics = metrics
        hints = Hints(logger: logger)
        trust = TrustTroubles(logger: logger)
        self.loops = loops.map { ObjectIdentifier($0) }
        self.replayBudget = replayBudget
    }

    var loopCount: UInt64 { UInt64(loops.count) }

    /// Which of the loops this is, for numbers that are unique over all of them.
    func index(of loop: EventLoop) -> UInt64 {
        UInt64(loops.firstIndex(of: ObjectIdentifier(loop)) ?? 0)
    }
}

/// How many of something there are now, with a limit that is respected by all threads together.
final class Gauge: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    /// Counts one more unless there are `limit` already.
    func enter(limit: Int) -> Bool {
        if count.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
        leave()
        return false
    }

    func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
}

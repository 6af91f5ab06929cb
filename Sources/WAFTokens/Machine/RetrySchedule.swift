/// How long to wait before a failed fetch is tried again: min(100 ms × 2^(n−1), ceiling) before retry n.
struct RetrySchedule: Sendable {
    static let first: Duration = .milliseconds(100)

    let ceiling: Duration
    let jitter: WAFConfiguration.RetryJitter
    /// Retries until the count is used up; nil: unbounded.
    let limit: Int?

    /// The wait after the `failures`-th failure in a row (from 1).
    func wait(afterFailures failures: Int, _ random: inout SeededRandom) -> Duration {
        let computed = isUsedUp(failures) ? ceiling : computedWait(failures)
        switch jitter {
        case .none: return computed
        case .full: return computed * random.fraction()
        }
    }

    /// Whether the first try and all retries have failed.
    func isUsedUp(_ failures: Int) -> Bool {
        guard let limit else { return false }
        return failures > limit
    }

    private func computedWait(_ failures: Int) -> Duration {
        let doublings = min(failures - 1, 20)  // 100 ms × 2^20 is over any ceiling
        return min(Self.first * (1 << doublings), ceiling)
    }
}

/// SplitMix64: small, seeded, good enough to spread waits.
struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Uniform in 0..<1.
    mutating func fraction() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}

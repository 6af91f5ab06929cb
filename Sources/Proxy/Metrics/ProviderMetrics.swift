public import Telemetry
public import WAFTokens

/// What is counted for one provider, or for requests to hosts that nobody listed. Any thread; outlives a reload.
public final class ProviderMetrics: Sendable {
    /// The provider's name; `none` for hosts that nobody listed.
    public let name: String
    /// How long fetches of tokens took.
    public let fetchDuration: Histogram
    private let requests: ShardedCounters
    private let challenges: ShardedCounters

    private static let verdicts = Verdict.allCases.count + 1

    public init(name: String, shards: Int) {
        self.name = name
        fetchDuration = Histogram(bounds: Self.fetchBounds, shards: 1)
        requests = ShardedCounters(count: Self.verdicts * StatusClass.allCases.count, shards: shards)
        challenges = ShardedCounters(count: ChallengeOutcome.allCases.count, shards: shards)
    }

    /// Microseconds: 5 ms to 30 s.
    private static let fetchBounds: [UInt64] = [
        5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
        30_000_000,
    ]

    func countRequest(_ verdict: Verdict?, status: Int, shard: Int) {
        requests.add(at: Self.place(verdict, StatusClass(status)), shard: shard)
    }

    func countChallenge(_ outcome: ChallengeOutcome, shard: Int) {
        challenges.add(at: outcome.place, shard: shard)
    }

    /// Takes what a provider tells of its life.
    public func note(_ note: ProviderNote) {
        switch note {
        case .fetchSucceeded(let took, _, _), .fetchFailed(let took, _, _, _):
            fetchDuration.observe(microseconds: took.wholeMicroseconds, shard: 0)
        default: break  // counts of fetches stand in the provider's status
        }
    }

    /// How many requests had this verdict and class of status.
    public func requests(_ verdict: Verdict?, _ status: StatusClass) -> UInt64 {
        requests.value(at: Self.place(verdict, status))
    }

    /// How many challenged requests ended so.
    public func challenges(_ outcome: ChallengeOutcome) -> UInt64 {
        challenges.value(at: outcome.place)
    }

    private static func place(_ verdict: Verdict?, _ status: StatusClass) -> Int {
        (verdict.map { $0.rawValue + 1 } ?? 0) * StatusClass.allCases.count + status.rawValue
    }
}

public import Telemetry
internal import WAFTokens

/// Everything that a proxy counts. Any thread. On the request path nothing waits and nothing is allocated; the sets of
/// labels come from the settings and from enumerations, never from a client.
public final class ProxyMetrics: Sendable {
    /// How a replay can end.
    public enum ReplayOutcome: Int, Sendable, CaseIterable {
        case resolved, challengedAgain, captcha, failed

        public var label: String {
            switch self {
            case .resolved: "resolved"
            case .challengedAgain: "challenged_again"
            case .captcha: "captcha"
            case .failed: "failed"
            }
        }
    }

    /// Requests to hosts that nobody listed, tunnels among them.
    public let unlisted: ProviderMetrics
    /// First byte of a request to last byte of its answer; tunnels and switched connections are left out.
    public let duration: Histogram
    /// Leaf certificates that were made for intercepted hosts.
    public let leafCertificates = Counter()
    /// TLS handshakes of clients that failed, for each kind of trouble.
    public let clientTLS: ClientTLSMetrics
    private let tokens: ShardedCounters
    private let replays: ShardedCounters
    private let providers = Lock<[ProviderMetrics]>([])
    private let shards: Int

    /// `shards`: how many loops serve requests.
    public init(shards: Int = 1) {
        self.shards = shards
        unlisted = ProviderMetrics(name: "none", shards: shards)
        duration = Histogram(bounds: Self.durationBounds, shards: shards)
        tokens = ShardedCounters(count: 1, shards: shards)
        replays = ShardedCounters(count: ReplayOutcome.allCases.count, shards: shards)
        clientTLS = ClientTLSMetrics(shards: shards)
    }

    /// Microseconds: 0.5 ms to a minute.
    private static let durationBounds: [UInt64] = [
        500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
        10_000_000, 30_000_000, 60_000_000,
    ]

    /// The numbers of the provider of this name, the same ones whenever it is asked for: they rise across a reload.
    public func provider(named name: String) -> ProviderMetrics {
        let fresh = ProviderMetrics(name: name, shards: shards)
        return providers.withLock { providers in
            if let known = providers.first(where: { $0.name == name }) { return known }
            providers.append(fresh)
            return fresh
        }
    }

    /// All that were asked for, after `unlisted`.
    public var all: [ProviderMetrics] { [unlisted] + providers.withLock { $0 } }

    /// Requests that went out with a token.
    public var tokensAttached: UInt64 { tokens.value(at: 0) }

    /// Replays that ended so.
    public func replays(_ outcome: ReplayOutcome) -> UInt64 { replays.value(at: outcome.rawValue) }

    /// One finished request.
    struct Finished {
        var provider: ProviderMetrics?
        var verdict: Verdict?
        var status = 0
        var challenge: ChallengeOutcome?
        var replays = 0
        var carriedToken = false
        /// Nil for a tunnel and a switched connection.
        var microseconds: UInt64?
    }

    func count(_ request: Finished, shard: Int) {
        let provider = request.provider ?? unlisted
        provider.countRequest(request.verdict, status: request.status, shard: shard)
        if let microseconds = request.microseconds { duration.observe(microseconds: microseconds, shard: shard) }
        if request.carriedToken { tokens.add(at: 0, shard: shard) }
        guard let challenge = request.challenge else { return }
        provider.countChallenge(challenge, shard: shard)
        guard request.replays > 0 else { return }
        let outcome: ReplayOutcome =
            switch challenge {
            case .resolved: .resolved
            case .unresolved(.captcha): .captcha
            case .unresolved(.challengedAgain): .challengedAgain
            case .replayFailed, .unresolved: .failed
            }
        replays.add(at: outcome.rawValue, shard: shard)
    }
}

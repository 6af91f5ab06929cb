/// What an operator may see of a provider. Holds no token, only a fingerprint.
public struct ProviderStatus: Sendable, Hashable {
    /// One word for it.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// There never was a token.
        case empty
        /// The first one, or one after an expired one, is being fetched.
        case fetching
        /// The token is good.
        case fresh
        /// The token is good, but older than the refresh delay.
        case stale
        /// The token has expired.
        case expired
        /// The last fetch failed; the token may be good all the same.
        case failing
        /// No request for longer than the refresh delay: nothing is fetched until the next.
        case idle
    }

    /// The token that is held, good or not.
    public struct Token: Sendable, Hashable {
        /// Eight hexadecimal digits of a hash.
        public let fingerprint: String
        /// Which one it is.
        public let generation: UInt64
        /// Time since its acquisition.
        public let age: Duration
        /// Time until it expires, negative afterwards; nil: never.
        public let expiresIn: Duration?
    }

    /// The provider's name.
    public let name: String
    /// One word for it.
    public let state: State
    /// Readiness' condition: the token is good, or the provider is idle and its last fetch was good. On demand: the last
    /// fetch, if there was one, was good.
    public let isReady: Bool
    /// Whether requests, the operator or `keepWarm` keep it going.
    public let isActive: Bool
    /// The token that is held.
    public let token: Token?
    /// The last fetch that ended.
    public let lastFetch: FetchRecord.Last?
    /// Fetches since the start by how they ended.
    public let fetches: [FetchRecord.Outcome: UInt64]
    /// Time until the next fetch; nil where none is planned.
    public let nextRefresh: Duration?
    /// Callers who wait.
    public let waiting: Int
    /// How often `fetchBudgetPerMinute` was used up.
    public let budgetTrips: UInt64
}

/// What is remembered of fetches: the last one, and counts of all.
public struct FetchRecord: Sendable, Hashable {
    /// How a fetch ended.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// With another token than before.
        case new
        /// With the same token as before.
        case same
        /// Without a token.
        case failed
        /// Without an answer in time.
        case timeout
    }

    /// One fetch.
    public struct Last: Sendable, Hashable {
        /// When it ended, since 1970 on the wall clock.
        public let at: Duration
        /// How it ended.
        public let outcome: Outcome
        /// How long it took.
        public let took: Duration
        /// The SDK's case and a sentence, where it failed.
        public let error: SdkError?
        /// One sentence for a person, escaped, without the token.
        public let detail: String?
    }

    /// The last one that ended.
    public private(set) var last: Last?
    /// Fetches by how they ended.
    public private(set) var counts: [Outcome: UInt64] = [:]
    var lastReason: ReasonCode?

    mutating func succeeded(isNew: Bool, took: Duration, at now: Moment) {
        end(Last(at: now.wall, outcome: isNew ? .new : .same, took: took, error: nil, detail: nil))
        lastReason = nil
    }

    mutating func failed(_ error: SourceError, took: Duration, at now: Moment) {
        let outcome: Outcome = error.code == .socketTimeoutException ? .timeout : .failed
        end(Last(at: now.wall, outcome: outcome, took: took, error: error.code, detail: error.detail))
        lastReason = error.reason
    }

    private mutating func end(_ fetch: Last) {
        last = fetch
        counts[fetch.outcome, default: 0] += 1
    }
}

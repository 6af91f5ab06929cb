/// A token as a provider held it at one time.
public struct TokenSnapshot: Sendable, Hashable {
    /// The token.
    public let token: WAFToken
    /// Grows with every token that is another value than the one before; 1 for a provider's first. A challenged request
    /// names the generation that it carried.
    public let generation: UInt64
    /// When the fetch that first gave this value started (for a file, its modification time), on the monotonic clock.
    public let acquiredAt: Duration
    /// The last time at which the token is still good, on the monotonic clock; nil where it does not expire.
    public let expiresAt: Duration?

    /// A snapshot.
    public init(token: WAFToken, generation: UInt64, acquiredAt: Duration, expiresAt: Duration?) {
        self.token = token
        self.generation = generation
        self.acquiredAt = acquiredAt
        self.expiresAt = expiresAt
    }

    /// Whether the token is good at `time`: an age equal to the immunity time still is, a greater one is not.
    public func isValid(at time: Duration) -> Bool {
        guard let expiresAt else { return true }
        return time <= expiresAt
    }

    /// Whether enough life is left at `time` for a request that can be sent only once: 30 s or a tenth of the immunity
    /// time, whichever is less.
    public func hasEnoughLife(at time: Duration) -> Bool {
        guard let expiresAt else { return true }
        return expiresAt - time >= enoughLife
    }

    /// min(30 s, immunity / 10); zero where the token does not expire.
    var enoughLife: Duration {
        guard let expiresAt else { return .zero }
        return min(.seconds(30), (expiresAt - acquiredAt) / 10)
    }
}

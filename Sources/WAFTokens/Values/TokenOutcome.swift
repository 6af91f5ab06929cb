/// What came of asking for a token.
public enum TokenOutcome: Sendable, Hashable {
    /// A token that is good now.
    case token(TokenSnapshot)
    /// No token, and why.
    case none(ReasonCode)

    /// The snapshot, if there is one.
    public var snapshot: TokenSnapshot? {
        switch self {
        case .token(let snapshot): snapshot
        case .none: nil
        }
    }

    /// The reason, if there is no token.
    public var reason: ReasonCode? {
        switch self {
        case .token: nil
        case .none(let reason): reason
        }
    }
}

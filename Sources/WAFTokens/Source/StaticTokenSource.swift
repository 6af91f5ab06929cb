/// One token that was given. Does not expire unless it is told to.
public struct StaticTokenSource: TokenSource {
    private let answer: SourceAnswer

    /// A source that always gives `token`, good for `expiresIn` after the first fetch.
    public init(_ token: WAFToken, expiresIn: Duration? = nil) {
        answer = SourceAnswer(token: token, expiresIn: expiresIn)
    }

    /// No end.
    public var defaultImmunity: Duration? { nil }

    /// The token.
    public func fetch(_ request: SourceRequest) async throws(SourceError) -> SourceAnswer {
        answer
    }
}

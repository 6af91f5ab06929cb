/// What the answer to a request with our token meant, as logs, metrics and flows name it.
public enum Verdict: Int, Sendable, CaseIterable {
    /// The endpoint wants a newer token.
    case challenge
    /// A person has to solve it.
    case captcha
    /// The endpoint refuses the request.
    case blocked

    /// One word.
    public var label: StaticString {
        switch self {
        case .challenge: "challenge"
        case .captcha: "captcha"
        case .blocked: "blocked"
        }
    }
}

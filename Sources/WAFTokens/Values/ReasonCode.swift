/// Why a request has no token or a challenge stays unresolved, as `Proxy-Status` details, logs and metrics name it.
public enum ReasonCode: String, Sendable, Hashable, CaseIterable {
    /// There never was a token, and the first fetch has not ended.
    case noTokenYet = "no_token_yet"
    /// The token that is held has expired and there is no newer one.
    case tokenExpired = "token_expired"
    /// The last fetch failed.
    case sourceFailed = "source_failed"
    /// The last fetch took too long.
    case sourceTimeout = "source_timeout"
    /// A challenge was to be answered with a newer token, but the source gave the same one again.
    case sourceReturnedSameToken = "source_returned_same_token"
    /// `fetchBudgetPerMinute` is used up.
    case budgetExhausted = "budget_exhausted"
    /// The hold time ended while a fetch was under way.
    case holdTimeout = "hold_timeout"
    /// The token does not travel over plain http to a public address.
    case clearTextRefused = "clear_text_refused"
    /// The request's body is longer than what is kept for a replay.
    case replayBodyTooLarge = "replay_body_too_large"
    /// The request cannot be sent twice.
    case replayNotPossible = "replay_not_possible"
    /// The replay was challenged, too.
    case challengedAgain = "challenged_again"
    /// A person has to solve it.
    case captcha
    /// The endpoint blocks the request.
    case blocked
}

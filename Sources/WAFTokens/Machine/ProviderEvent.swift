/// Names one who waits, for as long as he waits.
typealias CallerID = UInt64
/// Names one fetch.
typealias FlightID = UInt64

/// What a provider's machine is told.
enum ProviderEvent: Sendable {
    /// The provider begins; it counts as active.
    case started
    /// A request for one of the provider's hosts that found no ready token.
    case requested(CallerID, hold: Duration, needsLife: Bool)
    /// A request that carried `generation` (0: none) was challenged.
    case challenged(CallerID, than: UInt64, hold: Duration)
    /// `getToken` in on-demand mode; `limit` is how long it may take.
    case tokenWanted(CallerID, limit: Duration?)
    /// `onTokenReady`: never gives up.
    case readinessWanted(CallerID)
    /// Somebody waits for a fetch that ends well; `atOnce` also where a retry is due only later.
    case refreshWanted(CallerID, hold: Duration?, atOnce: Bool)
    /// The one who waited is gone.
    case cancelled(CallerID)
    case fetchEnded(FlightID, Result<SourceAnswer, SourceError>)
    /// The source sees something new.
    case sourceChanged
    /// `loadTokenIntoProvider`.
    case loaded(WAFToken, expiresIn: Duration?)
    /// An origin set a token.
    case adopted(WAFToken)
    /// The operator wants the held token to count as expired.
    case expiryWanted
    /// Marked active by hand, or no longer.
    case activitySet(Bool)
    /// Time went by.
    case woke
    case stopped
}

/// What the shell is to do, in this order.
enum ProviderAction: Sendable {
    case fetch(FlightID)
    /// Nobody waits for its answer any more.
    case abandon(FlightID)
    case answer(CallerID, TokenOutcome)
    /// Calls `onTokenReady`'s callback; with a token for the last time.
    case tell(CallerID, Result<WAFToken, SdkError>)
    /// A token of another value is held now.
    case announce(TokenSnapshot)
    /// Asks the source whether it changed.
    case checkSource
    case note(ProviderNote)
}

/// What happened, for logs and metrics. No case holds a token.
public enum ProviderNote: Sendable, Hashable {
    /// A fetch began.
    case fetchStarted
    /// A fetch gave a token; `isNew` when it was another than before.
    case fetchSucceeded(took: Duration, isNew: Bool, fingerprint: String)
    /// A fetch failed; the next try is after `retryIn`, nil when there is none.
    case fetchFailed(took: Duration, error: SdkError, detail: String, retryIn: Duration?)
    /// A newer token was wanted after a challenge, but the source gave the same one again.
    case sourceReturnedSameToken
    /// `fetchBudgetPerMinute` is used up; the next fetch may start after `reopensIn`.
    case budgetTripped(reopensIn: Duration)
    /// No request for longer than the refresh delay: refreshing stops.
    case becameIdle
    /// Refreshing goes on.
    case becameActive
    /// Wall and monotonic clock moved apart by so much: a machine that slept, or a clock that was set.
    case clockJumped(by: Duration)
}

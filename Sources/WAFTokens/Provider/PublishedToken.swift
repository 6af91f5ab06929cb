/// What the request path reads and writes under a lock, without asking the provider's actor.
struct PublishedToken: Sendable {
    /// Nil where a request has to ask: nothing good is held, or nobody keeps it fresh.
    var snapshot: TokenSnapshot?
    /// Not used before this time, on the monotonic clock.
    var withheldUntil: Duration?
    /// No request for longer than this is idleness; nil: always active.
    var window: Duration?
    /// When a request was seen last.
    var lastSeen: Duration?
    /// End of the last good fetch.
    var lastSuccess: Duration?
    /// Wall less monotonic clock, when it was looked at last.
    var clockOffset: Duration

    /// The token, if it may be used at `now`; that counts as activity.
    mutating func take(at now: Moment) -> TokenSnapshot? {
        let time = now.monotonic
        guard let snapshot, snapshot.isValid(at: time) else { return nil }
        if let withheldUntil, time < withheldUntil { return nil }
        let jump = now.offset - clockOffset
        guard jump <= ProviderMachine.jumpTolerance, jump >= .zero - ProviderMachine.jumpTolerance else { return nil }
        if isReturnWithStaleToken(time) { return nil }
        lastSeen = time
        return snapshot
    }

    private func isReturnWithStaleToken(_ time: Duration) -> Bool {
        guard let window, let lastSeen, let lastSuccess else { return window != nil }
        return time - lastSeen > window && time - lastSuccess > window
    }
}

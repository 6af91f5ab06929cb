/// The SDK's operations, and the operator's.
extension WAFTokenProvider {
    /// Begins: the provider counts as active and gets its first token. Any other call begins, too.
    public func start() {
        startIfNeeded()
    }

    /// Ends for good: no fetch, no timer; who waits is answered.
    public func stop() {
        endAll()
    }

    /// Background refresh on: the token that is held and good, without network; nil if there is none. Off: a new token
    /// each time, independent of others; after the retries, or `within`, the previous one, or nil if there never was one.
    public func getToken(within limit: Duration? = nil) async -> WAFToken? {
        startIfNeeded()
        if rules.refreshesInBackground { return heldToken(evenIfExpired: false) }
        switch await ask({ .tokenWanted($0, limit: limit) }) {
        case .token(let snapshot): return snapshot.token
        case .none: return heldToken(evenIfExpired: true)
        }
    }

    /// Refreshes, and calls back on another thread once a token is ready. Never gives up: where `maxRetryCount` is
    /// bounded, the error is told once when the retries are used up, and the callback comes again with the token.
    public nonisolated func onTokenReady(_ callback: @escaping ReadyCallback) {
        Task.detached(executorPreference: environment.executor) { await self.add(callback) }
    }

    /// As `onTokenReady`, to be awaited. Nil when the task is cancelled or the provider stopped.
    public func tokenWhenReady() async -> WAFToken? {
        await ask { .refreshWanted($0, hold: nil, atOnce: false) }.snapshot?.token
    }

    /// Replaces what is held; the provider owns the token and refreshes it from then on. Its age begins now.
    public func loadTokenIntoProvider(_ token: WAFToken, expiresIn: Duration? = nil) {
        startIfNeeded(fetching: false)
        tell(.loaded(token, expiresIn: expiresIn))
    }

    /// Puts the token (back) into the cookie store that was handed in; without one nothing happens.
    public nonisolated func storeTokenInCookieStorage(_ token: WAFToken) {
        environment.cookieStorage?.store(
            TokenCookie(token: token, domain: configuration.domainName, path: configuration.tokenCookiePath))
    }

    /// Fetches now, also where a retry is due only later, and tells what came of it.
    public func refresh(within: Duration? = nil) async -> TokenOutcome {
        let hold = within ?? rules.hold
        return await ask { .refreshWanted($0, hold: hold, atOnce: true) }
    }

    /// The token that is held counts as expired from now on.
    public func expireToken() {
        tell(.expiryWanted)
    }

    /// Marks the provider active by hand until it is unmarked; unmarked, it is idle until the next request.
    public func setActive(_ isActive: Bool) {
        startIfNeeded()
        tell(.activitySet(isActive))
    }

    /// The token that is held and good, without counting as a request: for the operator's eyes.
    public func peekToken() -> WAFToken? {
        heldToken(evenIfExpired: false)
    }

    /// What may be shown.
    public func status() -> ProviderStatus {
        makeStatus()
    }
}

internal import Telemetry

/// Keeps one AWS WAF token fresh, by the rules of the AWS WAF mobile SDK's token provider.
///
/// Owns the flight, the timer and those who wait; decides nothing itself: `ProviderMachine` does. The request path calls
/// `readyToken()`, which takes a lock for a moment and never awaits; only what finds no ready token comes to the actor.
/// Keep it alive: with the last reference its timer and its fetch go.
public actor WAFTokenProvider {
    /// What logs and metrics call it.
    public nonisolated let name: String
    /// Its rules.
    public nonisolated let configuration: WAFConfiguration
    nonisolated let environment: ProviderEnvironment
    private nonisolated let published: Lock<PublishedToken>
    private nonisolated let subscribers = TokenSubscribers()

    let rules: ProviderRules
    private let source: any TokenSource
    private var machine: ProviderMachine
    private var waiting: [CallerID: CheckedContinuation<TokenOutcome, Never>] = [:]
    private var callbacks: [CallerID: ReadyCallback] = [:]
    private var flights: [FlightID: Task<Void, Never>] = [:]
    private var timer: (id: UInt64, at: Duration, task: Task<Void, Never>)?
    private var endObservation: (@Sendable () -> Void)?
    private var isStarted = false
    private var lastID: UInt64 = 0

    /// What `onTokenReady` calls.
    public typealias ReadyCallback = @Sendable (Result<WAFToken, SdkError>) -> Void

    /// A provider that has not started. Throws the first of the configuration's faults.
    public init(
        _ configuration: WAFConfiguration, source: any TokenSource, name: String = "default",
        environment: ProviderEnvironment = ProviderEnvironment()
    ) throws(ConfigurationFault) {
        rules = try configuration.rules(for: source)
        self.name = name
        self.configuration = configuration
        self.source = source
        self.environment = environment
        let now = environment.now()
        machine = ProviderMachine(rules: rules, seed: environment.seed, at: now)
        published = Lock(PublishedToken(clockOffset: now.offset))
    }

    deinit {
        timer?.task.cancel()
        for task in flights.values { task.cancel() }
        endObservation?()
        subscribers.finish()
    }

    /// The token that a request may use now, without waiting: the provider is active and the token good, and not stale
    /// after idleness. Also records that there was a request. Nil: ask `tokenForRequest`. Any thread; no allocation.
    public nonisolated func readyToken() -> TokenSnapshot? {
        let now = environment.now()
        return published.withLock { $0.take(at: now) }
    }

    /// The current token and each later one, for as long as the provider lives; a slow reader misses all but the latest.
    public nonisolated var tokens: AsyncStream<TokenSnapshot> {
        subscribers.stream()
    }

    // MARK: Around the machine

    /// Begins by itself with the first call, unless `start` came before; with a fetch, where one is not about to be
    /// needless.
    func startIfNeeded(fetching: Bool = true) {
        guard !isStarted else { return }
        isStarted = true
        endObservation = source.observe { [weak self, environment] in
            Task.detached(executorPreference: environment.executor) { await self?.tell(.sourceChanged) }
        }
        if fetching { tell(.started) }
    }

    func endAll() {
        isStarted = true
        endObservation?()
        endObservation = nil
        tell(.stopped)
        callbacks.removeAll()
        subscribers.finish()
    }

    /// Decides under the lock, acts after it.
    func tell(_ event: ProviderEvent) {
        let now = environment.now()
        let actions = published.withLock { published in
            let actions = machine.handle(event, at: now, lastSeen: published.lastSeen)
            published = machine.published(at: now.monotonic)
            return actions
        }
        for action in actions { perform(action) }
        armTimer(now.monotonic)
    }

    /// Tells the machine and waits for its answer. Cancelling the task ends the wait.
    func ask(_ event: (CallerID) -> ProviderEvent) async -> TokenOutcome {
        startIfNeeded()
        let id = makeID()
        let event = event(id)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting[id] = continuation
                tell(event)
            }
        } onCancel: {
            // Comes after the caller waits: the actor is not free before.
            Task.detached(executorPreference: environment.executor) { await self.tell(.cancelled(id)) }
        }
    }

    func add(_ callback: @escaping ReadyCallback) {
        startIfNeeded()
        let id = makeID()
        callbacks[id] = callback
        tell(.readinessWanted(id))
    }

    /// What is held; an expired token only where that is allowed.
    func heldToken(evenIfExpired: Bool) -> WAFToken? {
        let held = evenIfExpired ? machine.shelf.held : machine.shelf.valid(at: environment.now().monotonic)
        return held?.token
    }

    func makeStatus() -> ProviderStatus {
        tell(.woke)  // so that what is shown counts what the request path has seen, and is due
        return machine.status(of: name, at: environment.now().monotonic)
    }

    private func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    // MARK: Actions

    private func perform(_ action: ProviderAction) {
        switch action {
        case .fetch(let id): startFetch(id)
        case .abandon(let id): flights.removeValue(forKey: id)?.cancel()
        case .answer(let id, let outcome): waiting.removeValue(forKey: id)?.resume(returning: outcome)
        case .tell(let id, let result): call(id, result)
        case .announce(let snapshot): announce(snapshot)
        case .checkSource: if source.hasChanged() { tell(.sourceChanged) }
        case .note(let note): environment.observe?(note)
        }
    }

    private func startFetch(_ id: FlightID) {
        let request = SourceRequest(
            applicationIntegrationURL: configuration.applicationIntegrationURL, domainName: configuration.domainName)
        flights[id] = Task.detached(executorPreference: environment.executor) { [weak self, source] in
            let result: Result<SourceAnswer, SourceError>
            do throws(SourceError) { result = .success(try await source.fetch(request)) } catch {
                result = .failure(error)
            }
            await self?.fetchEnded(id, result)
        }
    }

    private func fetchEnded(_ id: FlightID, _ result: Result<SourceAnswer, SourceError>) {
        flights[id] = nil
        tell(.fetchEnded(id, result))
    }

    /// Off everybody's thread: the callback is the user's and may take its time.
    private func call(_ id: CallerID, _ result: Result<WAFToken, SdkError>) {
        guard let callback = callbacks[id] else { return }
        if case .success = result { callbacks[id] = nil }
        Task.detached { callback(result) }
    }

    private func announce(_ snapshot: TokenSnapshot) {
        subscribers.announce(snapshot)
        if configuration.setTokenCookie { storeTokenInCookieStorage(snapshot.token) }
    }

    // MARK: Timer

    /// One timer, for when the machine wants to be woken next, and none while it does not.
    private func armTimer(_ now: Duration) {
        guard let wake = machine.nextWake else {
            timer?.task.cancel()
            timer = nil
            return
        }
        if let timer {
            if timer.at == wake { return }
            timer.task.cancel()
        }
        let id = makeID()
        let delay = max(.zero, wake - now)
        let task = Task.detached(executorPreference: environment.executor) { [weak self, environment] in
            await environment.sleep(delay)
            if !Task.isCancelled { await self?.timerFired(id) }
        }
        timer = (id, wake, task)
    }

    private func timerFired(_ id: UInt64) {
        guard timer?.id == id else { return }  // replaced while it was on its way
        timer = nil
        tell(.woke)
    }
}

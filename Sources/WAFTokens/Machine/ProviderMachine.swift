/// The rules of one token provider, without I/O, clock or tasks: events in, actions out, time as a parameter.
///
/// In background mode there is one flight at a time, and every caller waits for the same one. In on-demand mode each call
/// has its own (`OnDemandCall`); `onTokenReady` shares one in both modes.
struct ProviderMachine: ~Copyable {
    /// Where the shared flight stands. Each state names its successors.
    enum Phase: Equatable {
        /// Nothing is due: idle, not started, or on demand with nobody waiting. → scheduled, fetching, stopped
        case parked
        /// The next refresh is due at that time. → fetching, parked, stopped
        case scheduled(at: Duration)
        /// → scheduled, backingOff, parked, stopped
        case fetching(Flight)
        /// → fetching, scheduled, parked, stopped
        case backingOff(until: Duration, Cause)
        case stopped
    }

    /// Why there is no flight although one is wanted.
    enum Cause: Equatable {
        case retry
        case budget
    }

    struct Flight: Equatable {
        let id: FlightID
        /// On the monotonic clock, made earlier by a jump.
        var startedAt: Duration
        /// When it is given up.
        let until: Duration
    }

    /// One who waits for the shared flight.
    struct Caller {
        enum Want: Equatable {
            case usable(needsLife: Bool)
            case newer(than: UInt64)
            /// A fetch that ends well from now on.
            case refreshed
            /// As `refreshed`, told through a callback.
            case ready(wasToldOfFailure: Bool)
        }
        var want: Want
        let since: Duration
        let deadline: Duration?
    }

    /// Both clocks may drift apart so far before it counts as a jump.
    static let jumpTolerance: Duration = .seconds(1)
    /// Two refreshes are at least so far apart, whatever the tokens' life.
    static let leastRefreshInterval: Duration = .milliseconds(100)

    let rules: ProviderRules
    var shelf = TokenShelf()
    var phase = Phase.parked
    var budget: FetchBudget
    var activity: Activity
    var callers: [CallerID: Caller] = [:]
    var onDemand: [CallerID: OnDemandCall] = [:]
    var record = FetchRecord()
    /// Failures in a row of the shared flight.
    var failures = 0
    /// When the next refresh is or was due.
    var refreshDue: Duration?
    /// End of the last good fetch of the shared flight, made earlier by a jump.
    var lastSuccess: Duration?
    /// A token that is held is not used before this time, because a fresher one is awaited.
    var withheldUntil: Duration?
    /// The source changed and nobody has looked.
    var hasUnreadChange = false
    var checkAt: Duration?
    var clockOffset: Duration
    var random: SeededRandom
    /// No caller's deadline is before this; nil: none has one.
    var earliestDeadline: Duration?
    private var nextFlight: FlightID = 1
    private var actions: [ProviderAction] = []

    init(rules: ProviderRules, seed: UInt64, at now: Moment) {
        self.rules = rules
        budget = FetchBudget(limit: rules.fetchesPerMinute)
        activity = Activity(window: rules.refreshDelay, keepsWarm: rules.keepWarm)
        random = SeededRandom(seed: seed)
        clockOffset = now.offset
    }

    /// Tells the machine what happened at `now`. `lastSeen` is when the request path last handed out a token by itself.
    mutating func handle(_ event: ProviderEvent, at now: Moment, lastSeen: Duration? = nil) -> [ProviderAction] {
        if let lastSeen { activity.saw(at: lastSeen) }
        noticeJump(now)
        apply(event, now)
        advance(now)
        let result = actions
        actions.removeAll()
        return result
    }

    private mutating func apply(_ event: ProviderEvent, _ now: Moment) {
        let time = now.monotonic
        switch event {
        case .started: start(time)
        case .requested(let id, let hold, let needsLife): requested(id, hold, needsLife, time)
        case .challenged(let id, let generation, let hold): challenged(id, generation, hold, time)
        case .tokenWanted(let id, let limit): tokenWanted(id, limit, time)
        case .readinessWanted(let id): readinessWanted(id, time)
        case .refreshWanted(let id, let hold, let atOnce): refreshWanted(id, hold, atOnce, time)
        case .cancelled(let id): cancelled(id)
        case .fetchEnded(let id, let result): fetchEnded(id, result, now)
        case .sourceChanged: sourceChanged(time)
        case .loaded(let token, let expiresIn): loaded(token, expiresIn, time)
        case .adopted(let token): adopted(token, now)
        case .expiryWanted: expire(time)
        case .activitySet(let isActive): activitySet(isActive, time)
        case .woke: break
        case .stopped: stop()
        }
    }

    mutating func act(_ action: ProviderAction) {
        actions.append(action)
    }

    mutating func note(_ note: ProviderNote) {
        actions.append(.note(note))
    }

    mutating func makeFlight(at time: Duration) -> Flight {
        defer { nextFlight += 1 }
        return Flight(id: nextFlight, startedAt: time, until: time + rules.fetchTimeout)
    }
}

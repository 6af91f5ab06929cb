import Testing

@testable import WAFTokens

/// One random walk: makes events, performs what the machine asks for, and checks after every step.
struct MachineWalk: ~Copyable {
    private struct Waiter {
        let deadline: Duration?
        /// Library calls and callbacks may hear of failures without an end.
        let isCallback: Bool
    }

    /// What a token's value is known to live.
    private struct Life {
        var born: Duration
        let length: Duration?
    }

    private let seed: UInt64
    private let rules: ProviderRules
    private var random: SeededRandom
    private var now = Moment(monotonic: .seconds(1000), wall: .seconds(1_000_000))
    private var machine: ProviderMachine
    private var nextCaller: CallerID = 1
    private var nextToken = 1
    private var waiters: [CallerID: Waiter] = [:]
    /// Start of each flight that is wanted.
    private var flights: [FlightID: Duration] = [:]
    private var lives: [String: Life] = [:]
    private var lastGiven: String?
    private var lastSeen: Duration?
    private var isStopped = false

    init(seed: UInt64, inBackground: Bool) {
        self.seed = seed
        random = SeededRandom(seed: seed)
        var rules = ProviderRules()
        rules.refreshesInBackground = inBackground
        rules.refreshDelay = .seconds([1, 10, 88][Int.random(in: 0..<3, using: &random)])
        rules.immunity = [nil, .seconds(5), .seconds(300)][Int.random(in: 0..<3, using: &random)]
        rules.fetchesPerMinute = [0, 5, 60][Int.random(in: 0..<3, using: &random)]
        rules.keepWarm = Int.random(in: 0..<4, using: &random) == 0
        rules.checkInterval = Bool.random(using: &random) ? .seconds(2) : nil
        rules.retry = RetrySchedule(
            ceiling: .seconds(5), jitter: Bool.random(using: &random) ? .full : .none,
            limit: [nil, 0, 3][Int.random(in: 0..<3, using: &random)])
        rules.whenNoToken = [.hold, .closed, .open][Int.random(in: 0..<3, using: &random)]
        self.rules = rules
        machine = ProviderMachine(rules: rules, seed: seed, at: now)
    }

    mutating func run(steps: Int) {
        tell(.started)
        for _ in 0..<steps { step() }
        finish()
    }

    // MARK: Events

    private mutating func step() {
        switch Int.random(in: 0..<24, using: &random) {
        case 0...4: request()
        case 5...6: challenge()
        case 7: readiness()
        case 8: refresh()
        case 9: cancel()
        case 10...14: endFlight()
        case 15: tell(.sourceChanged)
        case 16: load()
        case 17: adopt()
        case 18: tell(.activitySet(Bool.random(using: &random)))
        case 19: if Int.random(in: 0..<4, using: &random) == 0 { expire() }
        case 20: jump()
        case 21: useReadyToken()
        default: passTime()
        }
    }

    private mutating func newCaller(hold: Duration?, isCallback: Bool = false) -> CallerID {
        defer { nextCaller += 1 }
        waiters[nextCaller] = Waiter(deadline: hold.map { now.monotonic + $0 }, isCallback: isCallback)
        return nextCaller
    }

    private mutating func randomHold() -> Duration {
        .milliseconds([0, 10, 1000, 5000, 20_000][Int.random(in: 0..<5, using: &random)])
    }

    private mutating func request() {
        let hold = randomHold()
        tell(.requested(newCaller(hold: hold), hold: hold, needsLife: Bool.random(using: &random)))
    }

    private mutating func challenge() {
        let hold = randomHold()
        let current = machine.shelf.held?.generation ?? 0
        let generation = current > 0 && Bool.random(using: &random) ? current - 1 : current
        tell(.challenged(newCaller(hold: hold), than: generation, hold: hold))
    }

    private mutating func readiness() {
        tell(.readinessWanted(newCaller(hold: nil, isCallback: true)))
    }

    private mutating func refresh() {
        let hold = randomHold()
        if rules.refreshesInBackground || Bool.random(using: &random) {
            tell(.refreshWanted(newCaller(hold: hold), hold: hold, atOnce: Bool.random(using: &random)))
        } else {
            tell(.tokenWanted(newCaller(hold: hold), limit: hold))
        }
    }

    private mutating func cancel() {
        guard let id = waiters.keys.sorted().randomElement(using: &random), waiters[id]?.isCallback == false else {
            return
        }
        tell(.cancelled(id))
        expect(waiters[id] == nil, "a cancelled caller has an answer at once")
    }

    private mutating func endFlight() {
        // Now and then one that nobody wants any more.
        let stale = FlightID.random(in: 1...50, using: &random)
        guard let id = flights.keys.sorted().randomElement(using: &random) else {
            return tell(.fetchEnded(stale, .token("nobody-wants-this")))
        }
        switch Int.random(in: 0..<7, using: &random) {
        case 6: end(id, with: lastGiven ?? freshToken())
        case 0...2: end(id, with: freshToken())
        case 3: end(id, with: machine.shelf.held?.token.getValue() ?? freshToken())
        default:
            flights[id] = nil
            tell(.fetchEnded(id, .failed(Bool.random(using: &random) ? .internalError : .socketTimeoutException)))
        }
    }

    private mutating func end(_ id: FlightID, with value: String) {
        guard let start = flights.removeValue(forKey: id) else { return }
        let length: Duration? = Bool.random(using: &random) ? .seconds(Int.random(in: 1...400, using: &random)) : nil
        if lives[value] == nil { lives[value] = Life(born: start, length: length ?? rules.immunity) }
        tell(.fetchEnded(id, .token(value, expiresIn: length)))
        if machine.shelf.held?.token.getValue() == value { lastGiven = value }
    }

    private mutating func freshToken() -> String {
        nextToken += 1
        return "token-\(seed)-\(nextToken)"
    }

    private mutating func load() {
        let value = freshToken()
        guard let token = try? WAFToken(value) else { return }
        lives[value] = Life(born: now.monotonic, length: rules.immunity)
        tell(.loaded(token, expiresIn: nil))
    }

    private mutating func adopt() {
        let value = freshToken()
        guard let token = try? WAFToken(value) else { return }
        lives[value] = Life(born: now.monotonic, length: rules.immunity)
        tell(.adopted(token))
    }

    private mutating func expire() {
        if let held = machine.shelf.held {
            lives[held.token.getValue()] = Life(born: now.monotonic - .seconds(1), length: .zero)
        }
        tell(.expiryWanted)
    }

    private mutating func jump() {
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        let distance: Duration = .seconds(Int.random(in: -500...500, using: &random))
        now.wall += distance
        if distance > ProviderMachine.jumpTolerance {
            for value in lives.keys { lives[value]?.born -= distance }
            for id in flights.keys { flights[id]? -= distance }
        }
        useReadyToken()
        tell(.woke)
    }

    /// What the request path does.
    private mutating func useReadyToken() {
        var published = machine.published(at: now.monotonic)
        // It was published at the last event, so what it says of the clocks is of then.
        guard let snapshot = published.take(at: now) else { return }
        check(snapshot)
        expect(rules.refreshesInBackground, "on demand nothing is ready")
        lastSeen = now.monotonic
    }

    private mutating func passTime() {
        let wake = machine.nextWake
        if let wake, Bool.random(using: &random) {
            now = now.advanced(to: wake)
        } else {
            // A timer may come late, never early.
            now = now.advanced(to: now.monotonic + .milliseconds(Int.random(in: 0...9000, using: &random)))
            guard let wake, wake <= now.monotonic else { return }
        }
        tell(.woke)
    }

    // MARK: Checks

    private mutating func tell(_ event: ProviderEvent) {
        let actions = machine.handle(event, at: now, lastSeen: lastSeen)
        lastSeen = nil
        for action in actions { perform(action) }
        checkState()
    }

    private mutating func perform(_ action: ProviderAction) {
        switch action {
        case .fetch(let id):
            expect(flights[id] == nil, "a flight starts once")
            flights[id] = now.monotonic
        case .abandon(let id):
            expect(flights.removeValue(forKey: id) != nil, "only a flight under way is left behind")
        case .answer(let id, let outcome):
            expect(waiters.removeValue(forKey: id) != nil, "a caller is answered once")
            if case .token(let snapshot) = outcome { check(snapshot) }
        case .tell(let id, let result):
            expect(waiters[id]?.isCallback == true, "only a callback is told")
            if case .success = result { waiters[id] = nil } else if isStopped { waiters[id] = nil }
        case .announce, .checkSource, .note: break
        }
    }

    private func check(_ snapshot: TokenSnapshot) {
        guard let life = lives[snapshot.token.getValue()] else {
            return expect(false, "a token that was never given")
        }
        if let length = life.length {
            expect(now.monotonic - life.born <= length, "an expired token is handed out")
        }
    }

    private mutating func checkState() {
        let time = now.monotonic
        if rules.refreshesInBackground { expect(flights.count <= 1, "two flights") }
        for waiter in waiters.values {
            guard let deadline = waiter.deadline else { continue }
            expect(deadline > time, "a deadline has passed")
            expect((machine.nextWake ?? .seconds(Int64.max)) <= deadline, "nobody wakes for a deadline")
        }
        if !waiters.isEmpty {
            let wake = machine.nextWake
            expect(wake != nil && wake! > time, "somebody waits and nothing is due")
        }
        for id in flights.keys {
            expect(machine.nextWake != nil, "flight \(id) is never given up")
        }
    }

    /// The source is well again: everybody has an answer after a bounded number of steps; then `stop` leaves nothing.
    private mutating func finish() {
        for _ in 0..<400 where !waiters.isEmpty {
            if let id = flights.keys.min() {
                end(id, with: freshToken())
            } else if let wake = machine.nextWake {
                now = now.advanced(to: wake)
                tell(.woke)
            } else {
                break
            }
        }
        expect(waiters.isEmpty, "\(waiters.count) wait for ever")
        request()
        readiness()
        isStopped = true
        tell(.stopped)
        expect(waiters.isEmpty && flights.isEmpty && machine.nextWake == nil, "stop leaves something behind")
    }

    private func expect(_ condition: Bool, _ comment: @autoclosure () -> String) {
        if !condition { Issue.record("seed \(seed): \(comment())") }
    }
}

extension Moment {
    fileprivate func advanced(to time: Duration) -> Moment {
        let step = max(.zero, time - monotonic)
        return Moment(monotonic: monotonic + step, wall: wall + step)
    }
}

/// The shared flight: when it starts, and what its end leads to.
extension ProviderMachine {
    /// Starts the flight, as far as the budget allows.
    mutating func begin(_ time: Duration) {
        checkAt = nil
        switch budget.take(at: time) {
        case .granted:
            let flight = makeFlight(at: time)
            phase = .fetching(flight)
            hasUnreadChange = false
            note(.fetchStarted)
            act(.fetch(flight.id))
        case .refused(let until, let trips):
            phase = .backingOff(until: until, .budget)
            if trips { note(.budgetTripped(reopensIn: until - time)) }
        }
    }

    mutating func beginUnlessUnderWay(_ time: Duration) {
        switch phase {
        case .parked, .scheduled: begin(time)
        case .fetching, .backingOff, .stopped: break
        }
    }

    mutating func fetchEnded(_ id: FlightID, _ result: Result<SourceAnswer, SourceError>, _ now: Moment) {
        if case .fetching(let flight) = phase, flight.id == id {
            concluded(flight, result, now)
        } else {
            onDemandEnded(id, result, now)  // or one that was given up: its answer is ignored
        }
    }

    private mutating func concluded(
        _ flight: Flight, _ result: Result<SourceAnswer, SourceError>, _ now: Moment
    ) {
        switch take(result, of: flight, now) {
        case .success(let snapshot): succeeded(snapshot, now.monotonic)
        case .failure(let error): failed(error, took: now.monotonic - flight.startedAt, now)
        }
    }

    /// Puts an answer on the shelf. A token that has expired already is a failure like any other.
    mutating func take(
        _ result: Result<SourceAnswer, SourceError>, of flight: Flight, _ now: Moment
    ) -> Result<TokenSnapshot, SourceError> {
        switch result {
        case .failure(let error): return .failure(error)
        case .success(let answer):
            let took = now.monotonic - flight.startedAt
            let acceptance = shelf.accept(answer, startedAt: flight.startedAt, immunity: rules.immunity, at: now)
            switch acceptance {
            case .new(let snapshot), .same(let snapshot):
                let isNew = acceptance == .new(snapshot)
                record.succeeded(isNew: isNew, took: took, at: now)
                note(.fetchSucceeded(took: took, isNew: isNew, fingerprint: snapshot.token.fingerprint))
                if isNew { act(.announce(snapshot)) }
                return .success(snapshot)
            case .expired:
                return .failure(.expiredOnArrival)
            }
        }
    }

    /// A good token is there: from a fetch, or handed in.
    mutating func succeeded(_ snapshot: TokenSnapshot, _ time: Duration) {
        failures = 0
        lastSuccess = time
        withheldUntil = nil
        answerAll(snapshot)
        guard phase != .stopped else { return }
        guard rules.refreshesInBackground else {
            phase = .parked
            return
        }
        let due = hasUnreadChange ? time : nextRefresh(of: snapshot, time)
        refreshDue = due
        if activity.isActive(at: time) {
            phase = .scheduled(at: due)
            checkAt = rules.checkInterval.map { time + $0 }
        } else {
            park()
        }
    }

    /// At most the refresh delay after the success, and before the token's life gets short.
    private func nextRefresh(of snapshot: TokenSnapshot, _ time: Duration) -> Duration {
        var due = time + rules.refreshDelay
        if let expires = snapshot.expiresAt {
            let early = expires - snapshot.enoughLife
            // So late that asking again now would only give the same token: when it has expired.
            due = min(due, early > time ? early : expires)
        }
        return max(due, time + Self.leastRefreshInterval)
    }

    /// A try failed: the next one comes by the schedule, for as long as somebody needs the token.
    mutating func failed(_ error: SourceError, took: Duration, _ now: Moment) {
        let time = now.monotonic
        failures += 1
        record.failed(error, took: took, at: now)
        hasUnreadChange = false
        if rules.retry.isUsedUp(failures) { tellOfFailure(error.code) }
        let goesOn = !callers.isEmpty || (rules.refreshesInBackground && activity.isActive(at: time))
        let wait = goesOn ? rules.retry.wait(afterFailures: failures, &random) : nil
        note(.fetchFailed(took: took, error: error.code, detail: error.detail, retryIn: wait))
        if let wait { phase = .backingOff(until: time + wait, .retry) } else { park() }
    }

    /// The bounded phase is over: `onTokenReady` hears of it once and goes on waiting.
    private mutating func tellOfFailure(_ code: SdkError) {
        for id in callers.keys.sorted() where callers[id]?.want == .ready(wasToldOfFailure: false) {
            callers[id]?.want = .ready(wasToldOfFailure: true)
            act(.tell(id, .failure(code)))
        }
    }

    /// A flight that is under way is left behind.
    mutating func abandonFlight() {
        guard case .fetching(let flight) = phase else { return }
        act(.abandon(flight.id))
        phase = .parked
    }
}

extension SourceError {
    static let expiredOnArrival = SourceError(
        .invalidVerifyChallengeResponse, "the source gave a token that has expired already", reason: .tokenExpired)
    static let tookTooLong = SourceError(.socketTimeoutException, "the source did not answer in time")
}

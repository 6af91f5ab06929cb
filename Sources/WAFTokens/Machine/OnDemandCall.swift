/// One call in on-demand mode: its own fetch, its own retries, within the budget and the time it may take.
struct OnDemandCall: Sendable {
    enum Purpose: Equatable {
        case request
        case challenged(with: UInt64)
        /// `getToken` of a library user.
        case library
    }

    enum State: Equatable {
        case fetching(ProviderMachine.Flight)
        case waiting(until: Duration, ProviderMachine.Cause)
    }

    let purpose: Purpose
    /// When it gives up; nil: when the retries are used up.
    let deadline: Duration?
    var state: State
    var failures = 0
    var lastReason: ReasonCode?

    var nextWake: Duration {
        let due =
            switch state {
            case .fetching(let flight): flight.until
            case .waiting(let until, _): until
            }
        return deadline.map { min($0, due) } ?? due
    }

    mutating func age(by missed: Duration) {
        guard case .fetching(var flight) = state else { return }
        flight.startedAt -= missed
        state = .fetching(flight)
    }

    /// Why it ended without a token.
    var reason: ReasonCode {
        switch state {
        case .waiting(_, .budget): .budgetExhausted
        case .waiting(_, .retry), .fetching: lastReason ?? .holdTimeout
        }
    }
}

extension ProviderMachine {
    mutating func startOnDemand(
        _ id: CallerID, _ purpose: OnDemandCall.Purpose, limit: Duration?, _ time: Duration
    ) {
        guard phase != .stopped else { return act(.answer(id, .none(.noTokenYet))) }
        onDemand[id] = OnDemandCall(
            purpose: purpose, deadline: limit.map { time + $0 }, state: .waiting(until: time, .retry))
    }

    /// Does what is due for every call, first come, first served.
    mutating func advanceOnDemand(_ now: Moment) {
        guard !onDemand.isEmpty else { return }
        let time = now.monotonic
        for id in onDemand.keys.sorted() {
            guard let call = onDemand[id], call.nextWake <= time else { continue }
            if let deadline = call.deadline, deadline <= time {
                giveUp(id, call, time)
                continue
            }
            switch call.state {
            case .waiting: fly(id, time)
            case .fetching(let flight):
                act(.abandon(flight.id))
                retry(id, .tookTooLong, took: time - flight.startedAt, now)
            }
        }
    }

    mutating func onDemandEnded(_ flightID: FlightID, _ result: Result<SourceAnswer, SourceError>, _ now: Moment) {
        for (id, call) in onDemand {
            guard case .fetching(let flight) = call.state, flight.id == flightID else { continue }
            switch take(result, of: flight, now) {
            case .success(let snapshot): finish(id, call, snapshot)
            case .failure(let error): retry(id, error, took: now.monotonic - flight.startedAt, now)
            }
            return
        }
    }

    /// Ends a call that is no longer in the table; a fetch under way is left behind.
    mutating func end(_ call: OnDemandCall, _ id: CallerID, _ outcome: TokenOutcome) {
        if case .fetching(let flight) = call.state { act(.abandon(flight.id)) }
        act(.answer(id, outcome))
    }

    private mutating func fly(_ id: CallerID, _ time: Duration) {
        switch budget.take(at: time) {
        case .granted:
            let flight = makeFlight(at: time)
            onDemand[id]?.state = .fetching(flight)
            note(.fetchStarted)
            act(.fetch(flight.id))
        case .refused(let until, let trips):
            onDemand[id]?.state = .waiting(until: until, .budget)
            if trips { note(.budgetTripped(reopensIn: until - time)) }
        }
    }

    private mutating func retry(_ id: CallerID, _ error: SourceError, took: Duration, _ now: Moment) {
        record.failed(error, took: took, at: now)
        guard var call = onDemand[id] else { return }
        call.failures += 1
        call.lastReason = error.reason
        let isOver = rules.retry.isUsedUp(call.failures)
        let wait = isOver ? nil : rules.retry.wait(afterFailures: call.failures, &random)
        note(.fetchFailed(took: took, error: error.code, detail: error.detail, retryIn: wait))
        if let wait {
            call.state = .waiting(until: now.monotonic + wait, .retry)
            onDemand[id] = call
        } else {
            call.state = .waiting(until: now.monotonic, .retry)
            giveUp(id, call, now.monotonic)
        }
    }

    private mutating func finish(_ id: CallerID, _ call: OnDemandCall, _ snapshot: TokenSnapshot) {
        onDemand[id] = nil
        if case .challenged(let generation) = call.purpose, snapshot.generation <= generation {
            note(.sourceReturnedSameToken)
            act(.answer(id, .none(.sourceReturnedSameToken)))
        } else {
            act(.answer(id, .token(snapshot)))
        }
    }

    /// A request may have the previous token if that is still good; after a challenge it has to be a newer one.
    private mutating func giveUp(_ id: CallerID, _ call: OnDemandCall, _ time: Duration) {
        onDemand[id] = nil
        let previous = shelf.valid(at: time)
        switch call.purpose {
        case .request, .library:
            end(call, id, previous.map { .token($0) } ?? .none(call.reason))
        case .challenged(let generation):
            if let previous, previous.generation > generation {
                end(call, id, .token(previous))
            } else {
                end(call, id, .none(call.reason))
            }
        }
    }
}

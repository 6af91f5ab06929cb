/// What the operator, the library user and the source bring about.
extension ProviderMachine {
    /// Replaces what is held; a fetch that is under way is left behind.
    mutating func loaded(_ token: WAFToken, _ expiresIn: Duration?, _ time: Duration) {
        abandonFlight()
        let before = shelf.held?.generation
        let snapshot = shelf.load(token, expiresIn: expiresIn ?? rules.immunity, at: time)
        if snapshot.generation != before { act(.announce(snapshot)) }
        succeeded(snapshot, time)
    }

    /// An origin's token is taken as a source's would be; those who wait for a fetch go on waiting for it.
    mutating func adopted(_ token: WAFToken, _ now: Moment) {
        let time = now.monotonic
        switch shelf.adopt(token, immunity: rules.immunity, at: now) {
        case .new(let snapshot):
            act(.announce(snapshot))
            switch phase {
            case .fetching: answerDue(time)
            case .parked, .scheduled, .backingOff, .stopped: succeeded(snapshot, time)
            }
        case .same, .expired: break
        }
    }

    /// The held token counts as expired; the next one is got at once, if anybody needs it.
    mutating func expire(_ time: Duration) {
        shelf.expire(at: time)
        if case .scheduled = phase { phase = .scheduled(at: time) }
    }

    mutating func sourceChanged(_ time: Duration) {
        guard rules.refreshesInBackground else { return }
        hasUnreadChange = true
        switch phase {
        case .scheduled:
            if activity.isActive(at: time) { begin(time) } else { park() }
        case .backingOff(_, .retry): begin(time)
        case .parked, .fetching, .backingOff, .stopped: break
        }
    }

    mutating func stop() {
        abandonFlight()
        phase = .stopped
        checkAt = nil
        earliestDeadline = nil
        let reason = reason(waited: true)
        for id in callers.keys.sorted() {
            if case .ready = callers[id]?.want {
                act(.tell(id, .failure(.internalError)))
            } else {
                act(.answer(id, .none(reason)))
            }
        }
        callers.removeAll()
        for (id, call) in onDemand { end(call, id, .none(reason)) }
        onDemand.removeAll()
    }
}

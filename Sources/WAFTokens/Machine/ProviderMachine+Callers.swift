/// Those who ask and wait.
extension ProviderMachine {
    mutating func start(_ time: Duration) {
        guard phase == .parked, lastSuccess == nil, rules.refreshesInBackground else { return }
        activity.saw(at: time)
        resume(time)
    }

    /// A request found no ready token: it makes the provider active again, and after idleness waits for a fresh token
    /// rather than using a stale one.
    mutating func requested(_ id: CallerID, _ hold: Duration, _ needsLife: Bool, _ time: Duration) {
        guard rules.refreshesInBackground else {
            return startOnDemand(id, .request, limit: hold, time)
        }
        saw(time)
        add(id, Caller(want: .usable(needsLife: needsLife), since: time, deadline: time + hold), time)
    }

    /// A request that was challenged with an older token than the current one has the current one at once.
    mutating func challenged(_ id: CallerID, _ generation: UInt64, _ hold: Duration, _ time: Duration) {
        guard rules.refreshesInBackground else {
            return startOnDemand(id, .challenged(with: generation), limit: hold, time)
        }
        saw(time)
        add(id, Caller(want: .newer(than: generation), since: time, deadline: time + hold), time)
    }

    mutating func tokenWanted(_ id: CallerID, _ limit: Duration?, _ time: Duration) {
        startOnDemand(id, .library, limit: limit, time)
    }

    mutating func refreshWanted(_ id: CallerID, _ hold: Duration?, _ atOnce: Bool, _ time: Duration) {
        add(id, Caller(want: .refreshed, since: time, deadline: hold.map { time + $0 }))
        if atOnce, case .backingOff(_, .retry) = phase { begin(time) }
    }

    mutating func readinessWanted(_ id: CallerID, _ time: Duration) {
        add(id, Caller(want: .ready(wasToldOfFailure: false), since: time, deadline: nil))
    }

    mutating func cancelled(_ id: CallerID) {
        if callers.removeValue(forKey: id) != nil { act(.answer(id, .none(reason(waited: true)))) }
        if let call = onDemand.removeValue(forKey: id) { end(call, id, .none(reason(waited: true))) }
    }

    /// Waits, without looking at what is held.
    mutating func add(_ id: CallerID, _ caller: Caller) {
        guard phase != .stopped else {
            if case .ready = caller.want { return act(.tell(id, .failure(.internalError))) }
            return act(.answer(id, .none(.noTokenYet)))
        }
        callers[id] = caller
        guard let deadline = caller.deadline else { return }
        earliestDeadline = min(earliestDeadline ?? deadline, deadline)
    }

    /// Answers at once where what is held will do; waits otherwise.
    private mutating func add(_ id: CallerID, _ caller: Caller, _ time: Duration) {
        if let snapshot = satisfying(caller.want, time) {
            act(.answer(id, .token(snapshot)))
        } else {
            add(id, caller)
        }
    }

    private mutating func saw(_ time: Duration) {
        let wasIdle = !activity.isActive(at: time) && callers.isEmpty
        activity.saw(at: time)
        if wasIdle || phase == .parked, isDueForReturn(time) { withhold(time) }
        if phase == .parked { resume(time) } else if wasIdle, isDueForReturn(time) { beginUnlessUnderWay(time) }
    }

    /// What is held, where it fits the want now.
    func satisfying(_ want: Caller.Want, _ time: Duration) -> TokenSnapshot? {
        guard let held = shelf.valid(at: time) else { return nil }
        switch want {
        case .usable(let needsLife):
            if let withheldUntil, time < withheldUntil { return nil }
            return needsLife && !held.hasEnoughLife(at: time) ? nil : held
        case .newer(let generation): return held.generation > generation ? held : nil
        case .refreshed, .ready: return nil
        }
    }

    /// A fetch ended well: everybody has his answer, first come, first served.
    mutating func answerAll(_ snapshot: TokenSnapshot) {
        var gaveSame = false
        for id in callers.keys.sorted() {
            switch callers[id]?.want {
            case .usable, .refreshed: act(.answer(id, .token(snapshot)))
            case .newer(let generation) where snapshot.generation > generation:
                act(.answer(id, .token(snapshot)))
            case .newer:
                gaveSame = true
                act(.answer(id, .none(.sourceReturnedSameToken)))
            case .ready: act(.tell(id, .success(snapshot.token)))
            case nil: break
            }
        }
        callers.removeAll()
        earliestDeadline = nil
        if gaveSame { note(.sourceReturnedSameToken) }
    }

    /// Answers those whom what is held satisfies, and those whose time is up.
    mutating func answerDue(_ time: Duration) {
        earliestDeadline = nil
        for id in callers.keys.sorted() {
            guard let caller = callers[id] else { continue }
            if let snapshot = satisfying(caller.want, time) {
                callers[id] = nil
                act(.answer(id, .token(snapshot)))
            } else if let deadline = caller.deadline, deadline <= time {
                callers[id] = nil
                act(.answer(id, lastResort(caller, time)))
            } else if let deadline = caller.deadline {
                earliestDeadline = min(earliestDeadline ?? deadline, deadline)
            }
        }
    }

    /// The hold time is over: a good token, if not a fresh one, is better than none.
    private func lastResort(_ caller: Caller, _ time: Duration) -> TokenOutcome {
        switch caller.want {
        case .usable:
            if let held = shelf.valid(at: time) { return .token(held) }
        case .newer, .refreshed, .ready: break
        }
        return .none(reason(waited: time > caller.since))
    }

    /// Why there is no token, for one who waited for it, or would not.
    func reason(waited: Bool) -> ReasonCode {
        if case .backingOff(_, .budget) = phase { return .budgetExhausted }
        if failures > 0, let reason = record.lastReason { return reason }
        if waited { return .holdTimeout }
        return shelf.held == nil ? .noTokenYet : .tokenExpired
    }
}

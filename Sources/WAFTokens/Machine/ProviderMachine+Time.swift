/// Time: what is due, idleness and return, and clocks that jump.
extension ProviderMachine {
    /// Does what is due at `now`. Runs after every event, so that no state waits for a timer that is late.
    mutating func advance(_ now: Moment) {
        let time = now.monotonic
        switch phase {
        case .scheduled(let at) where at <= time:
            if isNeeded(time) { begin(time) } else { park() }
        case .backingOff(let until, _) where until <= time:
            if isNeeded(time) { begin(time) } else { park() }
        case .fetching(let flight) where flight.until <= time:
            act(.abandon(flight.id))
            failed(.tookTooLong, took: time - flight.startedAt, now)
        case .backingOff(_, .retry) where !rules.refreshesInBackground && callers.isEmpty:
            park()
        case .scheduled, .backingOff, .fetching, .parked, .stopped: break
        }
        checkSource(time)
        advanceOnDemand(now)
        if !callers.isEmpty { beginUnlessUnderWay(time) }
        if let earliestDeadline, earliestDeadline <= time { answerDue(time) }
    }

    /// When `woke` is wanted next, on the monotonic clock; nil: nothing is due ever.
    var nextWake: Duration? {
        var wake = earliestDeadline
        func consider(_ time: Duration?) {
            if let time { wake = min(wake ?? time, time) }
        }
        switch phase {
        case .parked, .stopped: break
        case .scheduled(let at): consider(at)
        case .fetching(let flight): consider(flight.until)
        case .backingOff(let until, _): consider(until)
        }
        consider(checkAt)
        for call in onDemand.values { consider(call.nextWake) }
        return wake
    }

    private func isNeeded(_ time: Duration) -> Bool {
        if !callers.isEmpty { return true }
        return rules.refreshesInBackground && activity.isActive(at: time)
    }

    private mutating func checkSource(_ time: Duration) {
        guard let checkAt, checkAt <= time, case .scheduled = phase else { return }
        guard isNeeded(time) else { return park() }
        self.checkAt = rules.checkInterval.map { time + $0 }
        act(.checkSource)
    }

    // MARK: Idleness

    /// No timer, no call, until somebody asks.
    mutating func park() {
        phase = .parked
        checkAt = nil
        if rules.refreshesInBackground { note(.becameIdle) }
    }

    /// Takes the schedule up again.
    mutating func resume(_ time: Duration) {
        guard phase == .parked, rules.refreshesInBackground else { return }
        if lastSuccess != nil { note(.becameActive) }
        phase = .scheduled(at: hasUnreadChange || failures > 0 ? time : refreshDue ?? time)
        checkAt = rules.checkInterval.map { time + $0 }
    }

    /// Whether a token that is held is too old to be used after a return.
    func isDueForReturn(_ time: Duration) -> Bool {
        guard let lastSuccess else { return true }
        return hasUnreadChange || time - lastSuccess > rules.refreshDelay
    }

    mutating func withhold(_ time: Duration) {
        guard shelf.valid(at: time) != nil else { return }
        withheldUntil = time + rules.holdForRequest
    }

    mutating func activitySet(_ isActive: Bool, _ time: Duration) {
        activity.isMarked = isActive
        if isActive { return resume(time) }
        activity.forget()
        switch phase {
        case .scheduled, .backingOff:
            if !isNeeded(time) { park() }
        case .parked, .fetching, .stopped: break
        }
    }

    // MARK: Clocks

    /// Compares the clocks. What the monotonic clock did not count (sleep) makes everything older.
    mutating func noticeJump(_ now: Moment) {
        let jump = now.offset - clockOffset
        clockOffset = now.offset
        guard abs(jump) > Self.jumpTolerance else { return }
        note(.clockJumped(by: jump))
        guard jump > .zero else { return }  // a wall clock that was set back: ages are the monotonic clock's
        shelf.age(by: jump)
        activity.age(by: jump)
        lastSuccess = lastSuccess.map { $0 - jump }
        refreshDue = refreshDue.map { $0 - jump }
        switch phase {
        case .scheduled(let at): phase = .scheduled(at: at - jump)
        case .fetching(var flight):
            flight.startedAt -= jump
            phase = .fetching(flight)
        case .backingOff, .parked, .stopped: break
        }
        for id in onDemand.keys { onDemand[id]?.age(by: jump) }
        if isDueForReturn(now.monotonic) { withhold(now.monotonic) }
    }
}

private func abs(_ duration: Duration) -> Duration {
    duration < .zero ? .zero - duration : duration
}

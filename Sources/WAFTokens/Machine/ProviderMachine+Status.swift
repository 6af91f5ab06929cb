/// What the machine shows: to the request path, and to the operator.
extension ProviderMachine {
    /// What the request path may use without asking.
    func published(at time: Duration) -> PublishedToken {
        PublishedToken(
            snapshot: isPublished ? shelf.valid(at: time) : nil,
            withheldUntil: withheldUntil,
            window: activity.isAlways ? nil : activity.window,
            lastSeen: activity.lastSeen,
            lastSuccess: lastSuccess,
            clockOffset: clockOffset)
    }

    private var isPublished: Bool {
        switch phase {
        case .parked, .stopped: false
        case .scheduled, .fetching, .backingOff: rules.refreshesInBackground
        }
    }

    func status(of name: String, at time: Duration) -> ProviderStatus {
        let valid = shelf.valid(at: time)
        let state = state(at: time)
        return ProviderStatus(
            name: name,
            state: state,
            isReady: valid != nil || isReadyWithoutToken(state),
            isActive: activity.isActive(at: time),
            token: shelf.held.map { held in
                ProviderStatus.Token(
                    fingerprint: held.token.fingerprint, generation: held.generation, age: time - held.acquiredAt,
                    expiresIn: held.expiresAt.map { $0 - time })
            },
            lastFetch: record.last,
            fetches: record.counts,
            nextRefresh: nextFetch.map { max(.zero, $0 - time) },
            waiting: callers.count + onDemand.count,
            budgetTrips: budget.trips)
    }

    /// Idle with a good last fetch; on demand there is no token to have beforehand, so only a failure counts.
    private func isReadyWithoutToken(_ state: ProviderStatus.State) -> Bool {
        if rules.refreshesInBackground { return state == .idle && lastSuccess != nil && failures == 0 }
        return record.last?.error == nil
    }

    private func state(at time: Duration) -> ProviderStatus.State {
        if phase == .parked, rules.refreshesInBackground, lastSuccess != nil || failures > 0 { return .idle }
        if record.last?.error != nil { return .failing }
        if let held = shelf.valid(at: time) {
            // A token without an end does not get nearer to it.
            let isStale = held.expiresAt != nil && time - held.acquiredAt > rules.refreshDelay
            return isStale ? .stale : .fresh
        }
        if isFetching { return .fetching }
        return shelf.held == nil ? .empty : .expired
    }

    private var isFetching: Bool {
        if case .fetching = phase { return true }
        return onDemand.values.contains { if case .fetching = $0.state { true } else { false } }
    }

    private var nextFetch: Duration? {
        switch phase {
        case .scheduled(let at): at
        case .backingOff(let until, _): until
        case .parked, .fetching, .stopped: nil
        }
    }
}

/// The one token that a provider holds, its age and its generation.
struct TokenShelf: Sendable {
    /// What became of a value that a source gave.
    enum Acceptance: Equatable {
        /// Another value than before: held from now on.
        case new(TokenSnapshot)
        /// Nothing newer: the value that is held already, whose age goes on, or the source's last one again while a good
        /// one that was loaded or adopted since is held.
        case same(TokenSnapshot)
        /// Expired on arrival; not held.
        case expired
    }

    /// The last token, whether it is still good or not.
    private(set) var held: TokenSnapshot?
    /// What the source gave last.
    private var given: TokenSnapshot?
    private var generation: UInt64 = 0

    /// Takes what a fetch that started at `startedAt` gave.
    mutating func accept(
        _ answer: SourceAnswer, startedAt: Duration, immunity: Duration?, at now: Moment
    ) -> Acceptance {
        let time = now.monotonic
        if let held, held.token == answer.token {
            given = held
            return held.isValid(at: time) ? .same(held) : .expired
        }
        let repeats = given?.token == answer.token ? given : nil
        if repeats != nil, let held, held.isValid(at: time) { return .same(held) }
        // A file's time in the future is a clock that was wrong: it counts as now.
        let acquired = answer.acquiredAt.map { time - max(.zero, now.wall - $0) } ?? startedAt
        let expires = (answer.expiresIn ?? immunity).map { acquired + $0 }
        let snapshot = TokenSnapshot(
            token: answer.token, generation: generation + 1, acquiredAt: repeats?.acquiredAt ?? acquired,
            expiresAt: repeats == nil ? expires : repeats?.expiresAt)
        guard snapshot.isValid(at: time) else { return .expired }
        generation += 1
        held = snapshot
        given = snapshot
        return .new(snapshot)
    }

    /// Takes what an origin set, as a source's, but does not take it for the source's.
    mutating func adopt(_ token: WAFToken, immunity: Duration?, at now: Moment) -> Acceptance {
        let before = given
        defer { given = before }
        return accept(SourceAnswer(token: token), startedAt: now.monotonic, immunity: immunity, at: now)
    }

    /// Takes a token that somebody hands in: its age begins now, even if it is the value that is held already.
    mutating func load(_ token: WAFToken, expiresIn: Duration?, at time: Duration) -> TokenSnapshot {
        if held?.token != token { generation += 1 }
        let snapshot = TokenSnapshot(
            token: token, generation: generation, acquiredAt: time, expiresAt: expiresIn.map { time + $0 })
        held = snapshot
        return snapshot
    }

    /// The held token counts as expired from now on.
    mutating func expire(at time: Duration) {
        guard let held, held.isValid(at: time) else { return }
        let expired = TokenSnapshot(
            token: held.token, generation: held.generation, acquiredAt: held.acquiredAt,
            expiresAt: time - .nanoseconds(1))
        if given?.token == held.token { given = expired }
        self.held = expired
    }

    /// Makes what is known older by what the monotonic clock did not count.
    mutating func age(by missed: Duration) {
        held = held?.older(by: missed)
        given = given?.older(by: missed)
    }

    /// The held token, if it is good.
    func valid(at time: Duration) -> TokenSnapshot? {
        guard let held, held.isValid(at: time) else { return nil }
        return held
    }
}

extension TokenSnapshot {
    fileprivate func older(by missed: Duration) -> TokenSnapshot {
        TokenSnapshot(
            token: token, generation: generation, acquiredAt: acquiredAt - missed,
            expiresAt: expiresAt.map { $0 - missed })
    }
}

/// The one token that a provider holds, its age and its generation.
struct TokenShelf: Sendable {
    /// What became of a value that a source gave.
    enum Acceptance: Equatable {
        /// Another value than before: held from now on.
        case new(TokenSnapshot)
        /// The value that is held already; its age goes on.
        case same(TokenSnapshot)
        /// Expired on arrival; not held.
        case expired
    }

    /// The last token, whether it is still good or not.
    private(set) var held: TokenSnapshot?
    private var generation: UInt64 = 0

    /// Takes what a fetch that started at `startedAt` gave.
    mutating func accept(
        _ answer: SourceAnswer, startedAt: Duration, immunity: Duration?, at now: Moment
    ) -> Acceptance {
        let time = now.monotonic
        if let held, held.token == answer.token { return held.isValid(at: time) ? .same(held) : .expired }
        // A file's time in the future is a clock that was wrong: it counts as now.
        let acquired = answer.acquiredAt.map { time - max(.zero, now.wall - $0) } ?? startedAt
        let expires = (answer.expiresIn ?? immunity).map { acquired + $0 }
        let snapshot = TokenSnapshot(
            token: answer.token, generation: generation + 1, acquiredAt: acquired, expiresAt: expires)
        guard snapshot.isValid(at: time) else { return .expired }
        generation += 1
        held = snapshot
        return .new(snapshot)
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
        self.held = TokenSnapshot(
            token: held.token, generation: held.generation, acquiredAt: held.acquiredAt,
            expiresAt: time - .nanoseconds(1))
    }

    /// Makes the held token older by what the monotonic clock did not count.
    mutating func age(by missed: Duration) {
        guard let held else { return }
        self.held = TokenSnapshot(
            token: held.token, generation: held.generation, acquiredAt: held.acquiredAt - missed,
            expiresAt: held.expiresAt.map { $0 - missed })
    }

    /// The held token, if it is good.
    func valid(at time: Duration) -> TokenSnapshot? {
        guard let held, held.isValid(at: time) else { return nil }
        return held
    }
}

internal import Telemetry

/// Those who iterate over a provider's tokens. Any thread.
final class TokenSubscribers: Sendable {
    private struct State {
        var current: TokenSnapshot?
        var isFinished = false
        var next = 0
        var continuations: [Int: AsyncStream<TokenSnapshot>.Continuation] = [:]
    }

    private let state = Lock(State())

    /// The current token, if there is one, and every later one; a slow reader misses all but the latest.
    func stream() -> AsyncStream<TokenSnapshot> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TokenSnapshot.self, bufferingPolicy: .bufferingNewest(1))
        let (id, current) = state.withLock { state -> (Int?, TokenSnapshot?) in
            guard !state.isFinished else { return (nil, nil) }
            state.next += 1
            state.continuations[state.next] = continuation
            return (state.next, state.current)
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.continuations.removeValue(forKey: id) }
        }
        if let current { continuation.yield(current) }
        return stream
    }

    func announce(_ snapshot: TokenSnapshot) {
        let all = state.withLock { state in
            state.current = snapshot
            return Array(state.continuations.values)
        }
        for continuation in all { continuation.yield(snapshot) }
    }

    func finish() {
        let all = state.withLock { state in
            state.isFinished = true
            defer { state.continuations.removeAll() }
            return Array(state.continuations.values)
        }
        for continuation in all { continuation.finish() }
    }
}

import Telemetry
import WAFTokens

/// Two clocks that move only by hand, and those who sleep by them.
final class ManualClock: Sendable {
    private struct Sleeper {
        let id: Int
        let deadline: Duration
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Moment(monotonic: .seconds(1000), wall: .seconds(1_000_000))
        var sleepers: [Sleeper] = []
        var lastID = 0
    }

    private let state = Lock(State())

    var now: Moment { state.withLock { $0.now } }

    /// How many sleep.
    var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// When the first of them wakes.
    var nextDeadline: Duration? { state.withLock { $0.sleepers.map(\.deadline).min() } }

    func move(to time: Duration) {
        let due = state.withLock { state in
            let step = max(.zero, time - state.now.monotonic)
            state.now.monotonic += step
            state.now.wall += step
            let now = state.now.monotonic
            defer { state.sleepers.removeAll { $0.deadline <= now } }
            return state.sleepers.filter { $0.deadline <= now }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Moves the wall clock alone: a machine that slept, or a clock that was set.
    func jump(by distance: Duration) {
        state.withLock { $0.now.wall += distance }
    }

    func sleep(_ duration: Duration) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || duration <= .zero { return true }
                    state.sleepers.append(
                        Sleeper(id: id, deadline: state.now.monotonic + duration, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume()
        }
    }
}

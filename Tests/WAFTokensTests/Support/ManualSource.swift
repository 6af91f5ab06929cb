import Telemetry
import WAFTokens

/// A source whose answers the test gives: by hand, or by a script.
final class ManualSource: TokenSource {
    typealias Answer = Result<SourceAnswer, SourceError>

    private struct Flight {
        let number: Int
        let continuation: CheckedContinuation<Answer, Never>
    }

    private struct State {
        var script: (@Sendable (Int) -> Answer)?
        var flights: [Flight] = []
        var times: [Duration] = []
        var cancelled = 0
        var mostAtOnce = 0
        var hasChanged = false
        var checks = 0
        var onChange: (@Sendable () -> Void)?
    }

    private let state = Lock(State())
    private let clock: ManualClock
    let defaultImmunity: Duration?
    let checkInterval: Duration?

    init(_ clock: ManualClock, defaultImmunity: Duration? = .seconds(300), checkInterval: Duration? = nil) {
        self.clock = clock
        self.defaultImmunity = defaultImmunity
        self.checkInterval = checkInterval
    }

    /// When each fetch started.
    var times: [Duration] { state.withLock { $0.times } }
    var calls: Int { times.count }
    var underWay: Int { state.withLock { $0.flights.count } }
    var cancelled: Int { state.withLock { $0.cancelled } }
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }
    var checks: Int { state.withLock { $0.checks } }

    /// Answers every fetch at once from now on; the number counts from 1. Nil: by hand.
    func follow(_ script: (@Sendable (Int) -> Answer)?) {
        state.withLock { $0.script = script }
    }

    /// Answers the oldest fetch under way; false where there is none.
    @discardableResult
    func answer(_ answer: Answer) -> Bool {
        let flight = state.withLock { $0.flights.isEmpty ? nil : $0.flights.removeFirst() }
        flight?.continuation.resume(returning: answer)
        return flight != nil
    }

    /// As if somebody replaced a file.
    func change(noticed: Bool) {
        let callback = state.withLock { state in
            state.hasChanged = true
            return state.onChange
        }
        if noticed { callback?() }
    }

    func fetch(_ request: SourceRequest) async throws(SourceError) -> SourceAnswer {
        let time = clock.now.monotonic
        let number = state.withLock { state in
            state.times.append(time)
            state.hasChanged = false
            return state.times.count
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
                let now: Answer? = state.withLock { state in
                    if let script = state.script { return script(number) }
                    if Task.isCancelled { return .failure(SourceError(.internalError, "cancelled")) }
                    state.flights.append(Flight(number: number, continuation: continuation))
                    state.mostAtOnce = max(state.mostAtOnce, state.flights.count)
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            let flight = state.withLock { state in
                state.cancelled += 1
                return state.flights.firstIndex { $0.number == number }.map { state.flights.remove(at: $0) }
            }
            flight?.continuation.resume(returning: .failure(SourceError(.internalError, "cancelled")))
        }
        return try answer.get()
    }

    func hasChanged() -> Bool {
        state.withLock { state in
            state.checks += 1
            return state.hasChanged
        }
    }

    func observe(_ onChange: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        state.withLock { $0.onChange = onChange }
        return { [state] in state.withLock { $0.onChange = nil } }
    }
}

extension Result<SourceAnswer, SourceError> {
    static func token(_ text: String, expiresIn: Duration? = nil, acquiredAt: Duration? = nil) -> Self {
        guard let token = try? WAFToken(text) else { return .failure(SourceError(.internalError, "no token: \(text)")) }
        return .success(SourceAnswer(token: token, expiresIn: expiresIn, acquiredAt: acquiredAt))
    }

    static func failed(_ code: SdkError = .errorInvokingVerifyEndpoint) -> Self {
        .failure(SourceError(code, "as the test wants"))
    }
}

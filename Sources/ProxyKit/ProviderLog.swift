internal import Telemetry
internal import WAFTokens

/// What a provider's life looks like in the log. Any thread.
final class ProviderLog: Sendable {
    private let name: String
    private let logger: Logger
    /// Whether it was said that the source repeats itself; forgotten when it gives another token.
    private let toldOfSameToken = Lock(false)

    init(name: String, logger: Logger) {
        self.name = name
        self.logger = logger
    }

    func write(_ note: ProviderNote) {
        let provider = ("provider" as StaticString, LogValue.string(name))
        switch note {
        case .fetchStarted:
            logger.debug("token fetch started", [provider])
        case .fetchSucceeded(let took, let isNew, let fingerprint):
            if isNew { toldOfSameToken.withLock { $0 = false } }
            let level = isNew ? LogLevel.info : .debug
            logger.log(
                level, "token fetched",
                [provider, ("token", .string(fingerprint)), ("new", .bool(isNew)), ("duration_ms", milliseconds(took))])
        case .fetchFailed(let took, let error, let detail, let retryIn):
            logger.warning(
                "token fetch failed",
                [
                    provider, ("error", .string("\(error)")), ("detail", .sentence(detail)),
                    ("duration_ms", milliseconds(took)), ("retry_in_ms", retryIn.map(milliseconds) ?? "never"),
                ])
        case .sourceReturnedSameToken:
            let isTold = toldOfSameToken.withLock { told in
                defer { told = true }
                return told
            }
            if isTold { return }
            logger.warning(
                "the token source gave the same token again after a challenge, which stays unresolved",
                [provider, ("set", "a source that gives a newer token whenever it is asked; a fixed value cannot")])
        case .budgetTripped(let reopensIn):
            logger.warning(
                "the fetch budget is used up (fetchBudgetPerMinute)",
                [provider, ("reopens_in_ms", milliseconds(reopensIn))])
        case .becameIdle:
            logger.info("no requests: token refresh stops", [provider])
        case .becameActive:
            logger.info("requests again: token refresh goes on", [provider])
        case .clockJumped(let by):
            logger.warning("the clock jumped", [provider, ("by_ms", milliseconds(by))])
        }
    }

    private func milliseconds(_ duration: Duration) -> LogValue {
        let (seconds, attoseconds) = duration.components
        return .integer(Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}

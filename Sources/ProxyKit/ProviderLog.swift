internal import Telemetry
internal import WAFTokens

/// What a provider's life looks like in the log.
enum ProviderLog {
    static func write(_ note: ProviderNote, of name: String, to logger: Logger) {
        let provider = ("provider" as StaticString, LogValue.string(name))
        switch note {
        case .fetchStarted:
            logger.debug("token fetch started", [provider])
        case .fetchSucceeded(let took, let isNew, let fingerprint):
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
            logger.warning(
                "the token source gave the same token again after a challenge; it has to give a newer one", [provider])
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

    private static func milliseconds(_ duration: Duration) -> LogValue {
        let (seconds, attoseconds) = duration.components
        return .integer(Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}

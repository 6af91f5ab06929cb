internal import Telemetry
public import WAFTokens

/// What became of a challenged request, as `challenges_total` counts it: a fixed set.
public enum ChallengeOutcome: Sendable, Hashable, CaseIterable {
    /// Sent again with a newer token, and the endpoint let it pass.
    case resolved
    /// Sent again, and no answer came, or the client had left.
    case replayFailed
    /// Stayed a challenge, for this reason.
    case unresolved(ReasonCode)

    public static var allCases: [ChallengeOutcome] {
        [.resolved, .replayFailed] + reasons.map { .unresolved($0) }
    }

    /// Every reason for which a challenge can stay.
    private static let reasons: [ReasonCode] = [
        .challengedAgain, .replayBodyTooLarge, .replayNotPossible, .captcha, .sourceReturnedSameToken, .sourceFailed,
        .sourceTimeout, .budgetExhausted, .holdTimeout, .noTokenYet, .tokenExpired,
    ]

    /// As labels and documents say it.
    public var label: String {
        switch self {
        case .resolved: "resolved"
        case .replayFailed: "replay_failed"
        case .unresolved(let reason): reason.rawValue
        }
    }

    /// Nil for a request that nobody challenged. `verdict` and `reason` are those of the last answer.
    static func of(verdict: Verdict?, reason: ReasonCode?, replays: Int) -> ChallengeOutcome? {
        switch verdict {
        case nil, .blocked: replays > 0 ? .resolved : nil
        case .captcha: .unresolved(.captcha)
        case .challenge: reason.map { .unresolved($0) } ?? .replayFailed
        }
    }

    /// Its place in a row of numbers; an outcome that no challenge should have is counted as a failed replay.
    var place: Int { Self.places[self] ?? 1 }

    private static let places = Dictionary(uniqueKeysWithValues: zip(allCases, allCases.indices))
}

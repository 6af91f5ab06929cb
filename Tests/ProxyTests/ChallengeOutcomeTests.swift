import Telemetry
import Testing
import WAFTokens

@testable import Proxy

@Suite struct ChallengeOutcomeTests {
    @Test(
        "the last answer and the reason say what became of a challenge",
        arguments: [
            (nil, nil, 0, nil), (.blocked, .blocked, 0, nil), (nil, nil, 1, .resolved),
            (.blocked, .blocked, 1, .resolved),
            (.captcha, .captcha, 0, .unresolved(.captcha)), (.captcha, .captcha, 1, .unresolved(.captcha)),
            (.challenge, .challengedAgain, 1, .unresolved(.challengedAgain)),
            (.challenge, .holdTimeout, 0, .unresolved(.holdTimeout)), (.challenge, nil, 1, .replayFailed),
        ] as [(Verdict?, ReasonCode?, Int, ChallengeOutcome?)])
    func outcomes(verdict: Verdict?, reason: ReasonCode?, replays: Int, outcome: ChallengeOutcome?) {
        #expect(ChallengeOutcome.of(verdict: verdict, reason: reason, replays: replays) == outcome)
    }

    @Test("labels differ, and are the reason codes where there is a reason")
    func labels() {
        let labels = ChallengeOutcome.allCases.map(\.label)
        #expect(Set(labels).count == labels.count)
        #expect(Set(labels).subtracting(ReasonCode.allCases.map(\.rawValue)) == ["resolved", "replay_failed"])
        #expect(Set(ChallengeOutcome.allCases.map(\.place)).count == labels.count)
    }
}

import Testing
import WAFTokens

struct ReasonCodeTests {
    @Test("The reason codes are those that users rely on")
    func names() {
        let names = [
            "no_token_yet", "token_expired", "source_failed", "source_timeout", "source_returned_same_token",
            "budget_exhausted", "hold_timeout", "clear_text_refused", "replay_body_too_large", "replay_not_possible",
            "challenged_again", "captcha", "blocked",
        ]
        #expect(ReasonCode.allCases.map(\.rawValue) == names)
    }
}

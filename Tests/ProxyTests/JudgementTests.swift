import HTTP
import Testing
import WAFTokens

@testable import Proxy

@Suite struct JudgementTests {
    struct Case: CustomTestStringConvertible {
        var verdict: ChallengeVerdict
        var replays = 0
        var maxReplays = 1
        var isUpgrade = false
        var hasCopy = true
        var result: Judgement
        var testDescription: String { "\(verdict) after \(replays) of \(maxReplays)" }
    }

    @Test(
        "only a challenge leads to a replay, at most so often as allowed, and only with a whole copy",
        arguments: [
            Case(verdict: .none, result: .passOn(nil)),
            Case(verdict: .captcha, result: .passOn(.captcha)),
            Case(verdict: .blocked, result: .passOn(.blocked)),
            Case(verdict: .challenge, result: .replay),
            Case(verdict: .challenge, replays: 1, result: .passOn(.challengedAgain)),
            Case(verdict: .challenge, maxReplays: 0, result: .passOn(.replayNotPossible)),
            Case(verdict: .challenge, isUpgrade: true, result: .passOn(.replayNotPossible)),
            Case(verdict: .challenge, hasCopy: false, result: .passOn(.replayBodyTooLarge)),
            Case(verdict: .challenge, replays: 1, hasCopy: false, result: .passOn(.challengedAgain)),
        ])
    func table(row: Case) {
        let judgement = Judgement.of(
            row.verdict, replays: row.replays, maxReplays: row.maxReplays, isUpgrade: row.isUpgrade,
            hasCopy: row.hasCopy)
        #expect(judgement == row.result)
    }
}

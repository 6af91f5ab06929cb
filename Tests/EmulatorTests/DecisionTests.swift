import HTTP
import Testing

@testable import Emulator

/// The table of answers, row by row.
@Suite struct DecisionTests {
    /// Tokens that are good for nothing, each for another reason.
    enum Bad: CaseIterable { case absent, unreadable, wrongDomain, unsolved, old, withoutCaptcha, oldCaptcha }

    private static let methods: [HTTP.Method] = [.head, .post, .put, .patch, .delete, .options, .other]

    private func decide(_ bad: Bad?, _ action: RuleAction, _ method: HTTP.Method, html: Bool) -> Decision {
        var rig = StateRig(rules: [Rule(prefix: "/", action: action)])
        let token: [UInt8]? =
            switch bad {
            case nil: rig.token(captchaAge: 0)
            case .absent: nil
            case .unreadable: TokenFormat.corrupt(rig.token(captchaAge: 0))
            case .wrongDomain: rig.token("other.test", captchaAge: 0)
            case .unsolved: rig.token(age: nil)
            case .old: rig.token(age: 301)
            case .withoutCaptcha: rig.token()
            case .oldCaptcha: rig.token(captchaAge: 301)
            }
        return rig.receive(token, method: method, html: html)
    }

    private func isBad(_ bad: Bad, for action: RuleAction) -> Bool {
        action == .captcha ? true : bad != .withoutCaptcha && bad != .oldCaptcha
    }

    @Test("Bad token, challenge: 202, a page for a GET that names HTML, else empty", arguments: Bad.allCases)
    func challenged(bad: Bad) {
        guard isBad(bad, for: .challenge) else { return }
        #expect(decide(bad, .challenge, .get, html: true).interception == .challenge(html: true))
        #expect(decide(bad, .challenge, .get, html: false).interception == .challenge(html: false))
        for method in Self.methods {
            for html in [true, false] {
                let decision = decide(bad, .challenge, method, html: html)
                #expect(decision.interception == .challenge(html: false))
                #expect(decision.verdict == .challenge)
            }
        }
    }

    @Test("Bad token, or CAPTCHA time missing or expired, captcha: 405 in the same way", arguments: Bad.allCases)
    func captcha(bad: Bad) {
        #expect(decide(bad, .captcha, .get, html: true).interception == .captcha(html: true))
        #expect(decide(bad, .captcha, .get, html: false).interception == .captcha(html: false))
        for method in Self.methods {
            for html in [true, false] {
                let decision = decide(bad, .captcha, method, html: html)
                #expect(decision.interception == .captcha(html: false))
                #expect(decision.verdict == .captcha)
            }
        }
    }

    @Test("Accepted token, challenge or captcha: the application", arguments: [RuleAction.challenge, .captcha])
    func accepted(action: RuleAction) {
        for method in Self.methods + [.get] {
            for html in [true, false] {
                let decision = decide(nil, action, method, html: html)
                #expect(decision.interception == nil)
                #expect(decision.verdict == .accepted)
                #expect(decision.token == .accepted)
            }
        }
    }

    @Test("Block: 403 whatever the token", arguments: Bad.allCases)
    func blocked(bad: Bad) {
        for token in [bad, nil] {
            for method in Self.methods + [.get] {
                let decision = decide(token, .block, method, html: true)
                #expect(decision.interception == .block(status: 403, body: .page))
                #expect(decision.verdict == .block)
            }
        }
    }

    @Test("Count and allow: the application, whatever the token; what is wrong with it is still known")
    func letThrough() {
        for (action, verdict) in [(RuleAction.count, Decision.Verdict.count), (.allow, .allow)] {
            for bad in Bad.allCases {
                let decision = decide(bad, action, .get, html: true)
                #expect(decision.interception == nil)
                #expect(decision.verdict == verdict)
            }
            #expect(decide(.absent, action, .get, html: true).token == .absent)
            #expect(decide(.old, action, .get, html: true).token == .expired)
            #expect(decide(nil, action, .get, html: true).token == .accepted)
        }
    }

    @Test("Status, header and body of each interception")
    func interceptions() {
        #expect(Interception.challenge(html: true).status == 202)
        #expect(Interception.challenge(html: true).wafAction == "challenge")
        #expect(Interception.challenge(html: true).body?.type.hasPrefix("text/html") == true)
        #expect(Interception.challenge(html: false).body == nil)
        #expect(Interception.captcha(html: true).status == 405)
        #expect(Interception.captcha(html: true).wafAction == "captcha")
        #expect(Interception.captcha(html: false).body == nil)
        for status in [403, 202, 405, 503] {
            let block = Interception.block(status: status, body: .page)
            #expect(block.status == status)
            #expect(block.wafAction == nil, "a block has no such header, whatever its status")
            #expect(block.body != nil)
        }
        let cognito = Interception.block(status: 400, body: .cognito).body?.content ?? ""
        #expect((try? JSON(parsing: cognito))?["__type"]?.string == "ForbiddenException")
    }

    @Test("A token that the duplicate switch refuses is invalid")
    func ambiguous() {
        let request = ProtectedRequest(
            method: .get, path: "/", host: "shop.test", acceptsHTML: false, token: .ambiguous)
        let decision = TokenPolicy().decide(
            request, rule: Rule(prefix: "/", action: .challenge), planned: nil, now: 0, expiredSerial: 0,
            read: { _ in nil })
        #expect(decision.token == .invalid)
    }
}

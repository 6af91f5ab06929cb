import Testing

@testable import Emulator

@Suite struct TokenStateTests {
    private func judge(
        _ claims: TokenClaims?, host: String = "shop.test", action: RuleAction = .challenge, domains: [String] = [],
        own: Int? = nil, expired: UInt64 = 0
    ) -> TokenState {
        var policy = TokenPolicy()
        policy.domains = domains
        return policy.judge(
            claims, host: host, action: action, now: startMsec, immunitySec: own, expiredSerial: expired)
    }

    private func claims(age: Int64? = 0, captchaAge: Int64? = nil, domain: String = "shop.test") -> TokenClaims {
        TokenClaims(
            serial: 5, challengeSolvedAt: age.map { startMsec - $0 },
            captchaSolvedAt: captchaAge.map { startMsec - $0 },
            domain: domain)
    }

    @Test(
        "An age equal to the immunity time passes, one second more is expired",
        arguments: [
            (0, nil, TokenState.accepted), (300_000, nil, .accepted), (300_999, nil, .accepted),
            (301_000, nil, .expired),
            (0, 0, .accepted), (1000, 0, .expired), (7000, 7, .accepted), (8000, 7, .expired), (-5000, nil, .accepted),
        ] as [(Int64, Int?, TokenState)])
    func immunity(ageMsec: Int64, own: Int?, expected: TokenState) {
        #expect(judge(claims(age: ageMsec), own: own) == expected)
        #expect(judge(claims(age: nil, captchaAge: ageMsec), action: .captcha, own: own) == expected)
    }

    @Test(
        "Domains: the exact host, or listed domains and their subdomains on a dot boundary",
        arguments: [
            ("example.com", "example.com", [], true),
            ("example.com", "api.example.com", [], false),
            ("api.example.com", "example.com", [], false),
            ("example.com", "example.com", ["example.com"], true),
            ("example.com", "api.example.com", ["example.com"], true),
            ("example.com", "apiexample.com", ["example.com"], false),
            ("example.com", "example.api.com", ["example.com"], false),
            ("a.example.com", "b.example.com", ["example.com"], true),
            ("example.com", "other.test", ["example.com", "other.test"], true),
            ("stranger.test", "example.com", ["example.com"], false),
            ("stranger.test", "stranger.test", ["example.com"], false),
            ("", "anything.test", [], true),
            ("", "anything.test", ["example.com"], true),
        ] as [(String, String, [String], Bool)])
    func domains(token: String, host: String, list: [String], isAccepted: Bool) {
        #expect(judge(claims(domain: token), host: host, domains: list) == (isAccepted ? .accepted : .domainMismatch))
    }

    @Test("The order: unreadable, domain, solved, age")
    func order() {
        #expect(judge(nil, host: "other.test") == .invalid)
        #expect(judge(claims(age: nil), host: "other.test") == .domainMismatch)
        #expect(judge(claims(age: 900_000), host: "other.test") == .domainMismatch)
        #expect(judge(claims(age: nil)) == .notSolved)
        #expect(judge(claims(age: 900_000)) == .expired)
        #expect(judge(claims(age: 0), expired: 5) == .expired)
        #expect(judge(claims(age: 0), expired: 4) == .accepted)
    }

    @Test("Each action asks for its own time")
    func actions() {
        let challengeOnly = claims(age: 0)
        let both = claims(age: 0, captchaAge: 0)
        #expect(judge(challengeOnly, action: .captcha) == .notSolved)
        #expect(judge(both, action: .captcha) == .accepted)
        #expect(judge(claims(age: 900_000, captchaAge: 0), action: .captcha) == .accepted)
        #expect(judge(claims(age: 0, captchaAge: 301_000), action: .captcha) == .expired)
        for action in [RuleAction.challenge, .allow, .count, .block] {
            #expect(judge(challengeOnly, action: action) == .accepted)
        }
    }

    @Test("The reasons are those of AWS WAF")
    func reasons() {
        #expect(
            TokenState.allCases.map(\.failureReason) == [
                "TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_DOMAIN_MISMATCH", "TOKEN_MISSING", "TOKEN_EXPIRED", nil,
            ])
    }
}

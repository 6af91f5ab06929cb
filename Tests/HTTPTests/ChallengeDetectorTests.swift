import HTTP
import Testing

struct ChallengeDetectorTests {
    @Test(
        "Status and field must agree",
        arguments: [
            (202, "x-amzn-waf-action: challenge", ChallengeVerdict.challenge),
            (202, "X-Amzn-Waf-Action:  Challenge ", .challenge), (202, "x-amzn-waf-action: captcha", .none),
            (202, "A: b", .none), (200, "x-amzn-waf-action: challenge", .none),
            (405, "x-amzn-waf-action: captcha", .captcha), (405, "x-amzn-waf-action: challenge", .none),
            (405, "Allow: GET", .none), (403, "A: b", .blocked), (403, "x-amzn-waf-action: challenge", .blocked),
            (503, "x-amzn-waf-action: challenge", .none),
        ])
    func judges(_ status: Int, _ field: String, _ verdict: ChallengeVerdict) throws {
        var head = ResponseHead()
        head.status = status
        head.fields = try fields([field])
        #expect(ChallengeDetector.judge(head) == verdict)
    }

    @Test("Every verdict but the origin's own has a label")
    func labels() {
        #expect(ChallengeVerdict.none.label == nil)
        let labels = [ChallengeVerdict.challenge, .captcha, .blocked].map { "\($0.label ?? "")" }
        #expect(labels == ["challenge", "captcha", "blocked"])
    }
}

import HTTP
import Testing

@Suite("What answers mean")
struct ChallengeDetectorTests {
    @Test(
        "status and field must agree",
        arguments: [
            (202, "x-amzn-waf-action: challenge", ChallengeVerdict.challenge),
            (202, "X-Amzn-Waf-Action:Challenge ", .challenge),
            (405, "x-amzn-waf-action: captcha", .captcha), (202, "x-amzn-waf-action: captcha", .none),
            (405, "x-amzn-waf-action: challenge", .none),
            (202, "X: y", .none), (405, "Allow: GET", .none), (200, "x-amzn-waf-action: challenge", .none),
            (403, "X: y", .blocked),
            (403, "x-amzn-waf-action: challenge", .blocked), (202, "x-amzn-waf-action: challenged", .none),
            (202, "x-amzn-waf-action:", .none),
            (503, "x-amzn-waf-action: captcha", .none),
        ])
    func verdicts(status: Int, field: String, verdict: ChallengeVerdict) {
        var head = ResponseHead()
        head.status = status
        head.fields = fields(field)
        #expect(ChallengeDetector.judge(head) == verdict)
    }
}

import HTTP
import Testing

struct TokenFieldTests {
    struct Case: Sendable {
        let carrier: TokenCarrier
        let policy: ClientTokenPolicy
        let before: [String]
        /// nil: nothing is changed, and ours is not attached.
        let after: [String]?

        init(_ carrier: TokenCarrier, _ policy: ClientTokenPolicy, _ before: [String], _ after: [String]?) {
            (self.carrier, self.policy, self.before, self.after) = (carrier, policy, before, after)
        }
    }

    static let inCookie = "Cookie: a=b; aws-waf-token=old; c"
    static let inHeader = "X-AWS-WAF-Token: old"

    static let cases: [Case] = [
        Case(.cookie, .replace, ["A: b"], ["A: b", "Cookie: aws-waf-token=new"]),
        Case(.cookie, .replace, [inCookie], ["Cookie: aws-waf-token=new; a=b; c"]),
        Case(.cookie, .replace, [inHeader, "A: b"], ["A: b", "Cookie: aws-waf-token=new"]),
        Case(.cookie, .replace, [inHeader, inCookie, inHeader], ["Cookie: aws-waf-token=new; a=b; c"]),
        Case(.header, .replace, ["A: b"], ["A: b", "x-aws-waf-token: new"]),
        Case(.header, .replace, [inHeader, "A: b", "x-aws-waf-token: x"], ["X-AWS-WAF-Token: new", "A: b"]),
        Case(.header, .replace, [inCookie], ["Cookie: a=b; c", "x-aws-waf-token: new"]),
        Case(.header, .replace, ["Cookie: aws-waf-token=x", inHeader], ["X-AWS-WAF-Token: new"]),
        Case(.cookie, .keep, ["A: b"], ["A: b", "Cookie: aws-waf-token=new"]),
        Case(.cookie, .keep, ["Cookie: a=b"], ["Cookie: aws-waf-token=new; a=b"]),
        Case(.cookie, .keep, [inCookie], nil),
        Case(.cookie, .keep, ["Cookie: a", "cookie: aws-waf-token="], nil),
        Case(.cookie, .keep, [inHeader], [inHeader, "Cookie: aws-waf-token=new"]),
        Case(.header, .keep, [inHeader], nil),
        Case(.header, .keep, [inCookie], [inCookie, "x-aws-waf-token: new"]),
        Case(.cookie, .fill, ["A: b"], ["A: b", "Cookie: aws-waf-token=new"]),
        Case(.cookie, .fill, [inCookie], nil),
        Case(.cookie, .fill, [inHeader], nil),
        Case(.header, .fill, ["Cookie: a"], ["Cookie: a", "x-aws-waf-token: new"]),
        Case(.header, .fill, [inCookie], nil),
        Case(.header, .fill, [inHeader], nil),
    ]

    @Test("A token is attached as carrier and policy say", arguments: cases)
    func attaches(_ testCase: Case) throws {
        var fields = try fields(testCase.before)
        let token = bytes("new")
        let isAttached = TokenField.attach(
            token.span, carrier: testCase.carrier, policy: testCase.policy, to: &fields)
        #expect(isAttached == (testCase.after != nil))
        #expect(lines(fields) == testCase.after ?? testCase.before)
        if isAttached { #expect(TokenField.isPresent(in: fields, carrier: testCase.carrier)) }
    }

    @Test("Attaching again with another value leaves one token, the newer")
    func again() throws {
        var fields = try fields(["Host: a", "Cookie: a=b"])
        for value in ["first", "second"] {
            TokenField.attach(bytes(value).span, carrier: .cookie, policy: .replace, to: &fields)
        }
        #expect(lines(fields) == ["Host: a", "Cookie: aws-waf-token=second; a=b"])
    }

    @Test("A token is seen in its carrier alone")
    func presence() throws {
        let fields = try fields([Self.inHeader, "Cookie: AWS-WAF-TOKEN=x"])
        #expect(TokenField.isPresent(in: fields, carrier: .header))
        #expect(!TokenField.isPresent(in: fields, carrier: .cookie))
    }
}

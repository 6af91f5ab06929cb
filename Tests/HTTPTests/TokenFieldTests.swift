import HTTP
import Testing

@Suite("Attaching the token")
struct TokenFieldTests {
    private func attach(_ lines: String..., carrier: TokenCarrier = .cookie) -> [String] {
        var edited = fields(lines)
        TokenField.attach(bytes("T:+/=-").span, carrier: carrier, to: &edited)
        return HTTPTests.lines(of: edited)
    }

    @Test(
        "ours, then the rest byte for byte, without any pair of that name",
        arguments: [
            ("a=b", "T; a=b"), ("a=b; c=d", "T; a=b; c=d"), ("a=b;c=d", "T; a=b;c=d"), ("a=b;  c=d", "T; a=b;  c=d"),
            ("aws-waf-token=x", "T"), ("aws-waf-token=", "T"), ("aws-waf-token=x; a=b", "T; a=b"),
            ("aws-waf-token=x;a=b", "T; a=b"),
            ("aws-waf-token=x;  a=b", "T;  a=b"), ("a=b; aws-waf-token=x", "T; a=b"), ("a=b;aws-waf-token=x", "T; a=b"),
            ("a=b; aws-waf-token=x; c=d", "T; a=b; c=d"), ("a=b;aws-waf-token=x;c=d", "T; a=b;c=d"),
            ("a=b; aws-waf-token=x;c=d", "T; a=b; c=d"),
            ("a=b;aws-waf-token=x; c=d", "T; a=b;c=d"),
            ("aws-waf-token=x; aws-waf-token=y", "T"), ("a=b; aws-waf-token=x; aws-waf-token=y", "T; a=b"),
            ("aws-waf-token=x; a=b; aws-waf-token=y; c=d; aws-waf-token=z", "T; a=b; c=d"),
            ("a=\"x; aws-waf-token=y\"; c=d", "T; a=\"x; c=d"), ("a=\"b; c\"", "T; a=\"b; c\""),
            ("a=aws-waf-token=x", "T; a=aws-waf-token=x"), ("AWS-WAF-TOKEN=x", "T; AWS-WAF-TOKEN=x"),
            ("aws-waf-tokenx=1; xaws-waf-token=2", "T; aws-waf-tokenx=1; xaws-waf-token=2"),
            ("aws-waf-token", "T; aws-waf-token"),
            ("a; ; b", "T; a; ; b"), ("a=b;", "T; a=b;"), ("=x; a", "T; =x; a"),
            ("a=b;;aws-waf-token=x;;c=d", "T; a=b;;;c=d"),
            ("a=b;  aws-waf-token =x", "T; a=b"), ("\u{e4}=\u{ff}; $x={}|<>", "T; \u{e4}=\u{ff}; $x={}|<>"),
        ])
    func replaced(value: String, expected: String) {
        let ours = "Cookie: " + expected.replacing("T", with: "aws-waf-token=T:+/=-", maxReplacements: 1)
        #expect(attach("Host: a", "Cookie: \(value)", "X: y") == ["Host: a", ours, "X: y"])
    }

    @Test("without a Cookie field ours goes last")
    func noField() { #expect(attach("Host: a", "X: y") == ["Host: a", "X: y", "Cookie: aws-waf-token=T:+/=-"]) }

    @Test("several fields are joined at the place of the first, whose name stays as it is written")
    func joined() {
        #expect(
            attach("cOOkie:a=b", "X: y", "Cookie: aws-waf-token=x", "cookie: c=d; aws-waf-token=z", "Cookie:", "Y: z")
                == ["cOOkie:aws-waf-token=T:+/=-; a=b; c=d", "X: y", "Y: z"])
        #expect(attach("Cookie:", "X: y") == ["Cookie:aws-waf-token=T:+/=-", "X: y"])
    }

    @Test("it takes the other carrier's token away too")
    func otherCarrier() {
        #expect(attach("X-AWS-WAF-Token: x", "A: b") == ["A: b", "Cookie: aws-waf-token=T:+/=-"])
        #expect(attach("Cookie: aws-waf-token=x; a=b", carrier: .header) == ["Cookie: a=b", "x-aws-waf-token: T:+/=-"])
        #expect(attach("Cookie: aws-waf-token=x", "A: b", carrier: .header) == ["A: b", "x-aws-waf-token: T:+/=-"])
        #expect(
            attach("Cookie: a=b", "cookie: c", carrier: .header) == [
                "Cookie: a=b", "cookie: c", "x-aws-waf-token: T:+/=-",
            ])
        #expect(
            attach("X-Aws-Waf-Token:x", "A: b", "x-aws-waf-token: y", carrier: .header) == [
                "X-Aws-Waf-Token:T:+/=-", "A: b",
            ])
    }

    @Test("attaching twice leaves the newer one alone: a replay")
    func twice() {
        var edited = fields("Cookie: a=b")
        for token in ["one", "a longer one", "2"] {
            TokenField.attach(bytes(token).span, carrier: .cookie, to: &edited)
            #expect(lines(of: edited) == ["Cookie: aws-waf-token=\(token); a=b"])
        }
    }

    @Test("taking the token off leaves the rest as it was")
    func removed() {
        var edited = fields("A: b", "Cookie: a=b;c", "x-aws-waf-token: x")
        TokenField.remove(from: &edited)
        #expect(lines(of: edited) == ["A: b", "Cookie: a=b;c"])
        var only = fields("Cookie: aws-waf-token=x", "A: b", "Cookie: aws-waf-token=y")
        TokenField.remove(from: &only)
        #expect(lines(of: only) == ["A: b"])
    }
}

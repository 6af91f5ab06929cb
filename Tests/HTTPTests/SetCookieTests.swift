import HTTP
import Testing

@Suite("Set-Cookie fields")
struct SetCookieTests {
    private func value(_ field: String) -> String? {
        let field = bytes(field)
        return SetCookie.value(of: "aws-waf-token", in: field.span).map { String(decoding: field[$0], as: UTF8.self) }
    }

    @Test(
        "the value goes from the first = to the first ;, without the blanks around it",
        arguments: [
            ("aws-waf-token=abc", "abc"), (" aws-waf-token = a=b ; Path=/; Secure", "a=b"), ("aws-waf-token=", ""),
            ("aws-waf-token=\"x\";Path=/", "\"x\""),
        ])
    func found(field: String, expected: String) {
        #expect(value(field) == expected)
    }

    @Test(
        "another cookie's value is not taken",
        arguments: ["AWS-WAF-TOKEN=a", "aws-waf-token2=a", "x=1; aws-waf-token=a", "aws-waf-token", "", "=a"])
    func another(field: String) {
        #expect(value(field) == nil)
    }
}

import Testing

@testable import HTTP

struct CookieHeaderTests {
    @Test(
        "Ours comes first, at the place of the first field, and all fields become one",
        arguments: [
            ([], ["Cookie: aws-waf-token=new"]),
            (["A: b"], ["A: b", "Cookie: aws-waf-token=new"]),
            (["cookie:a=b", "A: b"], ["cookie: aws-waf-token=new; a=b", "A: b"]),
            (["COOKIE: aws-waf-token=old", "A: b"], ["COOKIE: aws-waf-token=new", "A: b"]),
            (["Cookie:", "A: b"], ["Cookie: aws-waf-token=new", "A: b"]),
            (
                [
                    "Cookie: a=b", "A: b", "cookie: c=d; aws-waf-token=old", "Cookie: aws-waf-token=x", "Cookie:",
                    "Cookie: e",
                ],
                ["Cookie: aws-waf-token=new; a=b; c=d; e", "A: b"]
            ),
            (["Cookie: aws-waf-token=x", "Cookie: a=b"], ["Cookie: aws-waf-token=new; a=b"]),
            (["Cookie: a=\"b; aws-waf-token=x\"  ;c"], ["Cookie: aws-waf-token=new; a=\"b; c"]),
        ] as [([String], [String])])
    func sets(_ before: [String], _ after: [String]) throws {
        var fields = try fields(before)
        CookieHeader.set(bytes("new").span, in: &fields)
        #expect(lines(fields) == after)
    }

    @Test(
        "Every pair of that name goes, an empty field is dropped, and without one nothing is touched",
        arguments: [
            (["Cookie: a=b", "Cookie:c=d"], ["Cookie: a=b", "Cookie:c=d"]),
            (["A: b", "Cookie: aws-waf-token=x", "C: d"], ["A: b", "C: d"]),
            (["Cookie: aws-waf-token=x", "cookie: aws-waf-token=y;"], []),
            (["cookie:  a=b; aws-waf-token=x", "Cookie: c"], ["cookie: a=b; c"]),
            (["Cookie: Aws-Waf-Token=x"], ["Cookie: Aws-Waf-Token=x"]),
        ] as [([String], [String])])
    func removes(_ before: [String], _ after: [String]) throws {
        var fields = try fields(before)
        CookieHeader.removeToken(from: &fields)
        #expect(lines(fields) == after)
    }
}

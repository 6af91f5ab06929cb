import HTTP
import Testing

@testable import Emulator

@Suite struct PresentedTokenTests {
    private func find(_ lines: [(String, String)], _ duplicates: DuplicateCookie = .first) -> (String?, Int) {
        let found = PresentedToken.find(in: fields(lines), duplicates: duplicates)
        switch found.token {
        case .none: return (nil, found.count)
        case .one(let text): return (text.text, found.count)
        case .ambiguous: return ("ambiguous", found.count)
        }
    }

    @Test("The cookie counts, else the header, else nothing")
    func carriers() {
        #expect(find([]) == (nil, 0))
        #expect(find([("Cookie", "a=1")]) == (nil, 0))
        #expect(find([("Cookie", "a=1; aws-waf-token=x; b=2")]) == ("x", 1))
        #expect(find([("X-AWS-WAF-Token", "h")]) == ("h", 1))
        #expect(find([("X-AWS-WAF-Token", "h"), ("Cookie", "aws-waf-token=c")]) == ("c", 2))
        #expect(find([("Cookie", "aws-waf-token=")]) == ("", 1))
    }

    @Test("Names are compared exactly, values are taken as they are")
    func names() {
        #expect(find([("Cookie", "AWS-WAF-TOKEN=x")]) == (nil, 0))
        #expect(find([("Cookie", "x-aws-waf-token=x;aws-waf-tokens=y")]) == (nil, 0))
        #expect(find([("Cookie", "aws-waf-token=a=b+/=")]) == ("a=b+/=", 1))
        #expect(find([("Cookie", "aws-waf-token=\"q\"")]) == ("\"q\"", 1))
        #expect(find([("Cookie", ";;  aws-waf-token=x  ;")]) == ("x", 1))
    }

    @Test("A duplicated cookie: first, last or refused, also over two fields")
    func duplicates() {
        for lines in [
            [("Cookie", "aws-waf-token=1; aws-waf-token=2")],
            [("Cookie", "aws-waf-token=1"), ("cookie", "aws-waf-token=2")],
        ] {
            #expect(find(lines, .first) == ("1", 2))
            #expect(find(lines, .last) == ("2", 2))
            #expect(find(lines, .invalid) == ("ambiguous", 2))
        }
        #expect(find([("Cookie", "aws-waf-token=1")], .invalid) == ("1", 1))
    }

    @Test("All cookies come out in order, byte for byte")
    func cookies() {
        let cookies = RequestCookies(fields([("Cookie", "a=\"x y\"; b ; =c"), ("Cookie", "d=1=2")]))
        #expect(
            cookies.pairs.map { [$0.name.text, $0.value.text] } == [
                ["a", "\"x y\""], ["", "b"], ["", "c"], ["d", "1=2"],
            ])
    }
}

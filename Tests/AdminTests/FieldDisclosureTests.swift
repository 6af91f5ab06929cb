import Testing

@testable import Admin

@Suite struct FieldDisclosureTests {
    private func shown(_ name: String, _ value: String) -> String {
        FieldDisclosure.value(of: ArraySlice(name.utf8), ArraySlice(value.utf8))
    }

    @Test("only fields known to be harmless show their value, whatever their case")
    func values() {
        #expect(shown("CONTENT-Type", "text/plain") == "text/plain")
        for name in [
            "Cookie", "Set-Cookie", "Authorization", "Proxy-Authorization", "x-aws-waf-token", "X-Api-Key", "Anything",
        ] {
            #expect(shown(name, "v") == "[redacted]", "\(name)")
        }
    }

    @Test("URLs lose their query, other bytes are escaped")
    func urls() {
        #expect(shown("Location", "https://a/b?c=d") == "https://a/b")
        #expect(shown("Referer", "https://a/b#c") == "https://a/b")
        #expect(shown("Server", "a\u{1b}b") == "a\\x1bb")
    }
}

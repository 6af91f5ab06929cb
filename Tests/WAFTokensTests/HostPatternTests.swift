import Testing

@testable import WAFTokens

struct HostPatternTests {
    @Test(
        "Patterns have one canonical spelling",
        arguments: [
            ("shop.test", "shop.test"), ("Shop.TEST.", "shop.test"), ("*.shop.test", "*.shop.test"),
            ("*.API.shop.test:8443", "*.api.shop.test:8443"), ("shop.test:*", "shop.test:*"),
            ("127.0.0.1:8080", "127.0.0.1:8080"), ("[::1]", "[::1]"), ("[0:0::1]:443", "[::1]:443"),
            ("[FE80::A]:*", "[fe80::a]:*"), ("localhost", "localhost"), ("my_host.test", "my_host.test"),
        ])
    func canonical(text: String, spelling: String) throws {
        #expect(try HostPattern(text).description == spelling)
    }

    @Test(
        "What is no pattern is refused",
        arguments: [
            "", ".", "*", "*.", "*shop.test", "shop.*", "a.*.test", "*.127.0.0.1", "*.[::1]", "::1", "[::1", "[shop]",
            "shop.test:", "shop.test:0", "shop.test:65536", "shop.test:+1", "shop.test:http", "sh op", "-a.test",
            "a-.test", "a..test", "127.0.0.256", "http://shop.test", "shop.test/path", "user@shop.test", "[::1]x",
            "[fe80::1%eth0]", "sho\u{0}p.test", "höst.test", "*.*.test",
        ])
    func refused(text: String) {
        #expect(throws: HostPattern.Fault.self, "\(text)") { try HostPattern(text) }
    }

    @Test("A label has at most 63 bytes and a name 253")
    func lengths() {
        let label = String(repeating: "a", count: 63)
        #expect(throws: Never.self) { try HostPattern("\(label).test") }
        #expect(throws: HostPattern.Fault.self) { try HostPattern("a\(label).test") }
        #expect(throws: HostPattern.Fault.self) { try HostPattern("\(label).\(label).\(label).\(label).test") }
    }
}

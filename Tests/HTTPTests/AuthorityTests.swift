import HTTP
import Testing

struct AuthorityTests {
    @Test(
        "Hosts are compared in lower case, without a last dot and without brackets",
        arguments: [
            ("shop.test", "shop.test", 80), ("SHOP.Test.:8080", "shop.test", 8080), ("a:", "a", 80),
            ("a:65535", "a", 65535), ("a:00443", "a", 443), ("127.0.0.1:1", "127.0.0.1", 1),
            ("[::1]", "::1", 80), ("[FE80::A]:443", "fe80::a", 443), ("a_b-c!.x", "a_b-c!.x", 80),
            (String(repeating: "a", count: 255), String(repeating: "a", count: 255), 80),
        ] as [(String, String, UInt16)])
    func parses(_ text: String, _ host: String, _ port: UInt16) throws {
        let authority = try Authority(parsing: bytes(text).span, defaultPort: 80)
        #expect(authority.host == host)
        #expect(authority.port == port)
        #expect(authority.isIPv6Literal == text.hasPrefix("["))
        #expect(authority == Authority(host: host, port: port))
    }

    static let refused: [(HTTPError.Reason, String)] = [
        (.userinfoInTarget, "user@a:443"), (.userinfoInTarget, "user:pass@a"), (.userinfoInTarget, "@"),
        (.portMissing, "a"), (.portMissing, "a:"), (.portMissing, "[::1]"),
        (.malformedAuthority, ""), (.malformedAuthority, ":443"), (.malformedAuthority, "."),
        (.malformedAuthority, ".a:1"), (.malformedAuthority, "a..b:1"), (.malformedAuthority, "a..:1"),
        (.malformedAuthority, "a b:1"), (.malformedAuthority, "a/b:1"), (.malformedAuthority, "a%20b:1"),
        (.malformedAuthority, "a\\b:1"), (.malformedAuthority, "\u{e9}:1"), (.malformedAuthority, "a\u{0}:1"),
        (.malformedAuthority, "a:0"), (.malformedAuthority, "a:65536"), (.malformedAuthority, "a:000443"),
        (.malformedAuthority, "a:99999"), (.malformedAuthority, "a:+1"), (.malformedAuthority, "a:1:2"),
        (.malformedAuthority, "a:1 "), (.malformedAuthority, "::1"), (.malformedAuthority, "[::1"),
        (.malformedAuthority, "["), (.malformedAuthority, "[]:1"), (.malformedAuthority, "[::1]1"),
        (.malformedAuthority, "[::1%25eth0]:1"), (.malformedAuthority, "[v1.a]:1"), (.malformedAuthority, "[a]:1"),
        (.malformedAuthority, String(repeating: "a", count: 256) + ":1"),
    ]

    @Test("What is no host and port is refused for its reason", arguments: refused)
    func refuses(_ reason: HTTPError.Reason, _ text: String) {
        let error = #expect(throws: HTTPError.self) {
            _ = try Authority(parsing: bytes(text).span, defaultPort: nil)
        }
        #expect(error?.reason == reason)
        #expect(error?.framingLost == false)
    }

    @Test("It prints as it is written in a target")
    func prints() {
        #expect(Authority(host: "shop.test", port: 443).description == "shop.test:443")
        #expect(Authority(host: "::1", port: 443).description == "[::1]:443")
    }
}

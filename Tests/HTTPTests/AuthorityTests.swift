import HTTP
import Testing

@Suite("Authorities")
struct AuthorityTests {
    private func parse(_ text: String, defaultPort: UInt16? = 80) throws(HTTPError) -> Authority {
        try Authority(parsing: bytes(text).span, defaultPort: defaultPort)
    }

    @Test(
        "host and port, in one spelling",
        arguments: [
            ("shop.test", "shop.test:80"), ("SHOP.Test:8443", "shop.test:8443"), ("shop.test.", "shop.test:80"),
            ("shop.test.:1", "shop.test:1"),
            ("a:", "a:80"), ("a_b-c~d", "a_b-c~d:80"), ("127.0.0.1:65535", "127.0.0.1:65535"), ("a:00080", "a:80"),
            ("xn--bcher-kva.test", "xn--bcher-kva.test:80"),
            ("[::1]", "[::1]:80"), ("[::1]:8080", "[::1]:8080"), ("[0:0:0:0:0:0:0:1]", "[::1]:80"),
            ("[2001:DB8::]:", "[2001:db8::]:80"),
            ("[::]", "[::]:80"), ("[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8]:80"),
            ("[0:1:0:0:1:0:0:0]", "[0:1:0:0:1::]:80"),
            ("[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]:80"), ("[2001:db8:0:1:1:1:1:1]", "[2001:db8:0:1:1:1:1:1]:80"),
            ("[::ffff:1.2.3.4]", "[::ffff:1.2.3.4]:80"),
            ("[::FFFF:102:304]", "[::ffff:1.2.3.4]:80"), ("[64:ff9b::1.2.3.4]", "[64:ff9b::102:304]:80"),
            ("[1:2:3:4:5:6:1.2.3.4]", "[1:2:3:4:5:6:102:304]:80"),
            ("[0001::00ff]", "[1::ff]:80"), ("[1::3:4:5:6:7:8]", "[1:0:3:4:5:6:7:8]:80"),
        ])
    func spellings(text: String, description: String) throws { #expect(try parse(text).description == description) }

    @Test(
        "what is no authority is refused",
        arguments: [
            "", ":", ":80", ".", "..", "a..b", ".a", "a b", "a/b", "a?b", "a#b", "a\\b", "a%2eb", "a%", "\u{e4}",
            "a\u{0}", "a,b", "a;b", "a'b",
            "a:b", "a:-1", "a:+1", "a: 1", "a:1 ", "a:0", "a:65536", "a:99999", "a:100000", "a:000080", "a:1:2", "::1",
            "1::2",
            "[", "[]", "[]:80", "[:]", "[:::]", "[::1", "::1]", "[::1]]", "[::1]80", "[::1]:x", "[::1] ",
            "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]",
            "[1:2:3:4:5:6:7::8]", "[1::2::3]", "[12345::]", "[g::]", "[::1%eth0]", "[::1%25eth0]", "[v1.x]",
            "[1.2.3.4]", "[::1.2.3]", "[::1.2.3.256]",
            "[::01.2.3.4]", "[::1.2.3.4:1]", "[1:2:3:4:5:6:7:1.2.3.4]", "[:1::2]", "[1:]", "[::1:]", "[a.b]",
            String(repeating: "a", count: 256),
        ])
    func malformed(text: String) {
        let error = #expect(throws: HTTPError.self) { try parse(text) }
        #expect(error?.reason == .malformedAuthority)
        #expect(error?.framingLost == false)
        #expect(error?.status == 400)
    }

    @Test("user information is refused as such", arguments: ["u@a", "u:p@a:1", "@a", "a@", "u@[::1]"])
    func userinfo(text: String) {
        let error = #expect(throws: HTTPError.self) { try parse(text) }
        #expect(error?.reason == .userinfoInTarget)
    }

    @Test("without a default the port must be named")
    func missingPort() throws {
        for text in ["a", "a:", "[::1]"] {
            let error = #expect(throws: HTTPError.self) { try parse(text, defaultPort: nil) }
            #expect(error?.reason == .portMissing)
        }
        #expect(try parse("a:1", defaultPort: nil).port == 1)
    }

    @Test("literal addresses are known, other spellings of addresses are names")
    func literals() throws {
        #expect(try parse("[::1]").isIPv6Literal)
        #expect(try parse("[::1]").isIPLiteral)
        #expect(try parse("127.0.0.1").isIPLiteral)
        for name in ["2130706433", "127.1", "0x7f.0.0.1", "127.0.0.01", "256.0.0.1", "a.b", "1.2.3.4.5"] {
            #expect(try !parse(name).isIPLiteral)
        }
    }

    @Test("equal spellings are equal and hash alike")
    func hashing() throws {
        #expect(
            Set([try parse("Shop.test."), try parse("shop.test:80"), Authority(host: "shop.test", port: 80)]).count == 1
        )
        #expect(try parse("[::0001]") == Authority(host: "::1", port: 80))
    }
}

import HTTP
import Testing

@Suite("Cookie paths")
struct CookiePathTests {
    @Test(
        "RFC 6265 §5.1.4",
        arguments: [
            ("/web/login", "/web/login", true), ("/web/login/help", "/web/login", true),
            ("/web/login/", "/web/login", true),
            ("/web/loginx", "/web/login", false), ("/web/login?x", "/web/login", true),
            ("/web/loginx?/web/login", "/web/login", false),
            ("/web", "/web/login", false), ("/web/login", "/web/login/", false), ("/web/login/", "/web/login/", true),
            ("/web/login/x", "/web/login/", true), ("/WEB/login", "/web/login", false), ("/", "/", true),
            ("/x", "/", true), ("", "/", true),
            ("?q", "/", true), ("*", "/", true), ("", "/x", false), ("?q", "/x", false), ("/x", "", true),
            ("", "", true),
            ("/web%2flogin", "/web", false), ("//web", "/web", false),
        ])
    func matches(target: String, path: String, isMatch: Bool) {
        #expect(CookiePath.matches(bytes(target).span, path: bytes(path).span) == isMatch)
    }
}

import HTTP
import Testing

struct CookiePathTests {
    @Test(
        "A path matches as RFC 6265 §5.1.4 has it",
        arguments: [
            ("/", "/", true), ("/a", "/", true), ("", "/", true), ("?q", "/", true), ("", "/a", false),
            ("/web/login", "/web/login", true), ("/web/login/", "/web/login", true),
            ("/web/login/help", "/web/login", true), ("/web/login?x", "/web/login", true),
            ("/web/loginx", "/web/login", false), ("/web/logi", "/web/login", false), ("/web", "/web/login", false),
            ("/web/login/", "/web/login/", true), ("/web/login/help", "/web/login/", true),
            ("/web/login", "/web/login/", false), ("/WEB/login", "/web/login", false),
            ("/?/web/login", "/web/login", false), ("/a?/", "/a/", false), ("*", "/", false), ("/a", "", false),
        ])
    func matches(_ target: String, _ path: String, _ doesMatch: Bool) {
        #expect(CookiePath.matches(bytes(target).span, path: bytes(path).span) == doesMatch)
    }
}

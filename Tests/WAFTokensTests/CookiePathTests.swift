import Testing

@testable import WAFTokens

struct CookiePathTests {
    @Test(
        "A cookie's path covers itself and what is below it (RFC 6265 §5.1.4)",
        arguments: [
            ("/", "/", true), ("/", "/any/thing?x=/", true), ("/", "", true), ("/web/login", "/web/login", true),
            ("/web/login", "/web/login/help", true), ("/web/login", "/web/login?next=/", true),
            ("/web/login", "/web/loginx", false), ("/web/login", "/web", false), ("/web/login", "/", false),
            ("/web/", "/web/a", true), ("/web/", "/web", false), ("/web/login", "/Web/login", false),
            ("/web", "/?/web", false),
        ])
    func covers(cookiePath: String, path: String, isCovered: Bool) {
        var configuration = WAFConfiguration(domainName: "shop.test")
        configuration.tokenCookiePath = cookiePath
        let policy = AttachPolicy(for: configuration)
        #expect(policy.covers(path: Array(path.utf8).span) == isCovered, "\(cookiePath) \(path)")
    }
}

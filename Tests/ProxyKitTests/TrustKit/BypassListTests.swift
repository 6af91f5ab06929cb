import Testing

@testable import ProxyKit

@Suite struct BypassListTests {
    @Test(arguments: [
        ("shop.test", "shop.test", "shop.test"),
        ("SHOP.test", "shop.test:8443", "SHOP.test"),
        ("a.test, .test", "shop.test", ".test"),
        ("*.test", "shop.test", "*.test"),
        ("test", "*.shop.test:*", "test"),
        ("*", "shop.test", "*"),
        ("shop.test:443", "shop.test", "shop.test:443"),
        ("shop.test.", "shop.test", "shop.test."),
        (".api.shop.test", "*.api.shop.test", ".api.shop.test"),
        ("10.0.0.0/8", "10.1.2.3", "10.0.0.0/8"),
        ("127.0.0.1", "127.0.0.1:8080", "127.0.0.1"),
        ("::1", "[::1]:8443", "::1"),
        ("[::1]", "[::1]", "[::1]"),
        ("fd00::/8", "[fd00::1]:*", "fd00::/8"),
        ("a b.test", "x.b.test", "b.test"),
    ])
    func `an entry that swallows a listed host is found`(list: String, host: String, entry: String) {
        #expect(BypassList(list).entry(swallowing: host) == entry)
    }

    @Test(arguments: [
        ("", "shop.test"), ("op.test", "shop.test"), ("shop.test.org", "shop.test"), ("api.shop.test", "shop.test"),
        ("10.0.0.0/8", "11.1.2.3"), ("10.0.0.0/8", "shop.test"), (".", "shop.test"), ("::1", "127.0.0.1"),
        (",,", "shop.test"),
    ])
    func `other entries leave it alone`(list: String, host: String) {
        #expect(BypassList(list).entry(swallowing: host) == nil)
    }

    @Test func `equal entries are kept once, in order`() {
        #expect((BypassList("b,a") + BypassList("a, c b")).text == "b,a,c")
    }

    @Test(arguments: [
        ("shop.test", "shop.test|*.shop.test"), (".shop.test", "*.shop.test"), ("*.shop.test", "*.shop.test"),
        ("10.0.0.0/8", "10.*"), ("192.168.0.0/16,10.0.0.1/32", "192.168.*|10.0.0.1"), ("10.0.0.0/12", ""),
        ("127.0.0.1,::1", "127.0.0.1|[::1]"), ("*", "*"), ("shop.test:8080", "shop.test|*.shop.test"),
        ("localhost,127.0.0.1", "localhost|*.localhost|127.0.0.1"),
    ])
    func `Java gets patterns between bars`(list: String, text: String) {
        #expect(BypassList(list).javaText == text)
    }
}

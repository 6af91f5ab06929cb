import Testing

@testable import Settings

@Suite struct HostTextTests {
    @Test(arguments: [
        ("shop.test", "shop.test"), ("Shop.TEST.", "shop.test"), ("*.Shop.test", "*.shop.test"),
        ("shop.test:8443", "shop.test:8443"), ("shop.test:*", "shop.test:*"), ("*.a.test:1", "*.a.test:1"),
        ("127.0.0.1", "127.0.0.1"), ("127.0.0.1:80", "127.0.0.1:80"), ("[::1]", "[::1]"), ("[::1]:*", "[::1]:*"),
        ("[0:0::1]:8080", "[::1]:8080"), ("localhost", "localhost"), ("my_host", "my_host"),
        ("xn--bcher-kva.test", "xn--bcher-kva.test"),
    ]) func `host patterns come out in one spelling`(text: String, pattern: String) {
        #expect(HostText.pattern(text) == pattern)
    }

    @Test(arguments: [
        "", ".", "*", "*.", "**.test", "a.*.test", "*shop.test", "shop.*", "a..b", "-a.test", "a-.test", "shop.test:",
        "shop.test:0", "shop.test:65536", "shop.test:080", "shop.test:http", "shop.test:1:2", "::1", "[::1", "[::1]x",
        "[127.0.0.1]", "[fe80::1%eth0]", "*.127.0.0.1", "127.0.0.256", "1.2.3", "http://shop.test", "shop.test/",
        "user@shop.test", "shop test", "bücher.test", "^shop", "(a|b).test", String(repeating: "a", count: 64),
        String(repeating: "a.", count: 128),
    ]) func `what is no host pattern is refused`(text: String) {
        #expect(HostText.pattern(text) == nil)
    }

    @Test func `a scheme, a path and letters beyond ASCII get a sentence of their own`() {
        #expect(
            load(.run, ["--host", "http://shop.test", "--token-url", "http://i/"]).lines.first?.contains(
                "without scheme") == true)
        #expect(
            load(.run, ["--host", "bücher.test", "--token-url", "http://i/"]).lines.first?.contains("xn--") == true)
    }
}

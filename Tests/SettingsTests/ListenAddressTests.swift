import Testing

@testable import Settings

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1:8080", true), ("0.0.0.0:0", "0.0.0.0:0", false),
        ("[::1]:8080", "[::1]:8080", true),
        ("[::]:1", "[::]:1", false), ("localhost:80", "127.0.0.1:80", true),
        ("unix:/run/a.sock", "unix:/run/a.sock", true),
        ("127.9.9.9:65535", "127.9.9.9:65535", true),
    ]) func `addresses are read and shown`(text: String, shown: String, isLoopback: Bool) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.description == shown)
        #expect(address.isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "shop.test:80", "::1:80",
        "unix:", "unix:relative", "[::1]", "127.0.0.1:80:80", "*:80", "unix:/" + String(repeating: "x", count: 108),
    ]) func `others are refused`(text: String) {
        #expect(ListenAddress(text) == nil)
    }
}

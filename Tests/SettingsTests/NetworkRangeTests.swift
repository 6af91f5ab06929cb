import Testing

@testable import Settings

@Suite struct NetworkRangeTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.0.0.0/8", 8), ("192.168.1.7", "192.168.1.7", 32), ("0.0.0.0/0", "0.0.0.0/0", 0),
        ("fd00::/8", "fd00::/8", 8), ("::1", "::1", 128), ("[::1]", "::1", 128), ("::/0", "::/0", 0),
    ]) func `networks are read`(text: String, shown: String, prefix: Int) throws {
        let range = try #require(NetworkRange(text))
        #expect(range.description == shown)
        #expect(range.prefixLength == prefix)
    }

    @Test(arguments: [
        "", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/08", "fd00::1/8", "::/129", "shop.test", "10.0.0/8",
    ])
    func `a bit beyond the prefix and other slips are refused`(text: String) {
        #expect(NetworkRange(text) == nil)
    }
}

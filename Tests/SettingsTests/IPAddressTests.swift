import Testing

@testable import Settings

@Suite struct IPAddressTests {
    @Test(
        arguments: [
            ("127.0.0.1", "127.0.0.1", [127, 0, 0, 1]), ("0.0.0.0", "0.0.0.0", [0, 0, 0, 0]),
            ("255.255.255.255", "255.255.255.255", [255, 255, 255, 255]),
            ("::", "::", [UInt8](repeating: 0, count: 16)),
            ("0:0::1", "::1", [UInt8](repeating: 0, count: 15) + [1]),
            ("FD00::A", "fd00::a", [0xfd] + [UInt8](repeating: 0, count: 14) + [0x0a]),
            (
                "::ffff:10.0.0.1", "::ffff:10.0.0.1",
                [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 10, 0, 0, 1]
            ),
        ] as [(String, String, [UInt8])])
    func `an address is read into its network bytes and comes out in one spelling`(
        text: String, shown: String, bytes: [UInt8]
    ) throws {
        let address = try #require(IPAddress(text))
        #expect(address.bytes == bytes)
        #expect(address.description == shown)
        #expect(IPAddress(shown) == address)
    }

    @Test(arguments: [
        "", " 127.0.0.1", "127.0.0.1 ", "127.1", "127.0.0.256", "127.0.0.01", "0x7f.0.0.1", "2130706433",
        "127.0.0.1:80", "127.0.0.1/8", "[::1]", ":::", "1::2::3", "::g", "fe80::1%eth0", "shop.test",
        "127.0.0.1\0.shop.test", "::1\0",
    ])
    func `other spellings and what is no address are refused`(text: String) {
        #expect(IPAddress(text) == nil)
    }
}

import EventLoop
import Testing

@Suite struct SocketAddressTests {
    @Test(
        "kinds are judged on the bytes, with IPv4 inside IPv6 counted as that IPv4 address",
        arguments: [
            ("127.0.0.1", true, true, false), ("127.9.9.9", true, true, false), ("0.0.0.0", true, true, false),
            ("::1", true, true, false), ("::", true, true, false), ("::ffff:127.0.0.1", true, true, false),
            ("64:ff9b::7f00:1", true, true, false), ("10.1.2.3", false, true, false),
            ("172.16.0.1", false, true, false), ("172.31.255.255", false, true, false),
            ("172.32.0.1", false, false, false), ("192.168.1.1", false, true, false),
            ("169.254.1.1", false, true, false), ("100.64.0.1", false, true, false),
            ("100.128.0.1", false, false, false), ("fc00::1", false, true, false), ("fdff::1", false, true, false),
            ("fe80::1", false, true, false), ("fec0::1", false, false, false), ("8.8.8.8", false, false, false),
            ("2001:db8::1", false, false, false), ("169.254.169.254", false, true, true),
            ("169.254.170.2", false, true, true), ("169.254.170.23", false, true, true),
            ("fd00:ec2::254", false, true, true), ("fd00:ec2::23", false, true, true),
            ("100.100.100.200", false, true, true), ("168.63.129.16", false, false, true),
            ("::ffff:169.254.169.254", false, true, true), ("64:ff9b::a9fe:a9fe", false, true, true),
        ])
    func kinds(ip: String, loopback: Bool, isPrivate: Bool, metadata: Bool) throws {
        let address = try #require(SocketAddress(ip: ip, port: 80))
        #expect(address.isLoopback == loopback)
        #expect(address.isPrivate == isPrivate)
        #expect(address.isCloudMetadata == metadata)
    }

    @Test(
        "only the plain spellings of an address are literals",
        arguments: ["2130706433", "127.1", "0x7f.1", "[::1]", ""])
    func notLiterals(text: String) {
        #expect(SocketAddress(ip: text, port: 1) == nil)
    }

    @Test("addresses print with the port, IPv6 in brackets")
    func prints() throws {
        #expect(try #require(SocketAddress(ip: "127.0.0.1", port: 8080)).description == "127.0.0.1:8080")
        #expect(try #require(SocketAddress(ip: "::1", port: 8080)).description == "[::1]:8080")
    }

    @Test("a v4-mapped address is the same host as its IPv4 form")
    func sameHost() throws {
        let mapped = try #require(SocketAddress(ip: "::ffff:10.0.0.1", port: 1))
        let plain = try #require(SocketAddress(ip: "10.0.0.1", port: 2))
        #expect(mapped.isSameHost(as: plain))
    }
}

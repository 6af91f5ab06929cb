import EventLoop
import Testing

@Suite struct NetworkTests {
    @Test(
        "a block holds the addresses whose first bits are its own",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.1.1", true), ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false), ("172.16.0.0/12", "172.31.0.1", true),
            ("172.16.0.0/12", "172.32.0.1", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2001:db8::1", false),
            ("fc00::/7", "fdff::1", true), ("fc00::/7", "fe00::1", false), ("::/0", "2001:db8::1", true),
            ("::1", "::1", true), ("2001:db8::/33", "2001:db8:7fff::1", true),
            ("2001:db8::/33", "2001:db8:8000::1", false),
        ])
    func contains(block: String, ip: String, isInside: Bool) throws {
        let network = try #require(Network(parsing: block))
        #expect(network.contains(try #require(SocketAddress(ip: ip, port: 1))) == isInside)
    }

    @Test(
        "what is no block is not read as one",
        arguments: ["", "10", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "a/8", "10.0.0.0/+8"])
    func malformed(text: String) {
        #expect(Network(parsing: text) == nil)
    }
}

import EventLoop
import Testing

@testable import Proxy

@Suite struct SourceRulesTests {
    private func allows(_ client: String, _ networks: [String] = []) throws -> Bool {
        let rules = SourceRules(allowed: try networks.map { try #require(Network(parsing: $0)) })
        return rules.allows(try #require(SocketAddress(ip: client, port: 40_000)))
    }

    @Test(
        "without a list, loopback and private clients are served",
        arguments: [
            ("127.0.0.1", true), ("::1", true), ("10.1.2.3", true), ("172.16.0.1", true), ("192.168.1.1", true),
            ("100.64.0.1", true), ("169.254.1.1", true), ("fd00::1", true), ("fe80::1", true),
            ("::ffff:10.0.0.1", true), ("192.0.2.1", false), ("172.32.0.1", false), ("2001:db8::1", false),
            ("::ffff:192.0.2.1", false),
        ])
    func withoutList(client: String, isServed: Bool) throws {
        #expect(try allows(client) == isServed)
    }

    @Test("where clients have to name themselves, any address is served, unless a list says otherwise")
    func knownUsers() throws {
        let client = try #require(SocketAddress(ip: "192.0.2.1", port: 40_000))
        #expect(SourceRules(servesKnownUsers: true).allows(client))
        let network = try #require(Network(parsing: "10.0.0.0/8"))
        #expect(!SourceRules(allowed: [network], servesKnownUsers: true).allows(client))
    }

    @Test("a list serves whom it names and loopback, nobody else")
    func withList() throws {
        let list = ["192.0.2.0/24", "2001:db8::/32"]
        #expect(try allows("192.0.2.200", list))
        #expect(try allows("::ffff:192.0.2.200", list))
        #expect(try allows("2001:db8::9", list))
        #expect(try allows("127.0.0.1", list))
        #expect(try !allows("10.0.0.1", list))
        #expect(try !allows("192.0.3.1", list))
    }
}

import EventLoop
import HTTP
import Testing
import WAFTokens

@testable import Proxy

@Suite struct DestinationRulesTests {
    private func address(_ ip: String, _ port: UInt16 = 80) throws -> SocketAddress {
        try #require(SocketAddress(ip: ip, port: port))
    }

    private func verdict(
        _ ip: String, port: UInt16 = 80, name: String = "host.test", rules: DestinationRules = DestinationRules(),
        fromLoopback: Bool = true
    ) throws -> DestinationRules.Verdict {
        rules.judge(
            try address(ip, port), for: Authority(host: name, port: port), clientIsLoopback: fromLoopback)
    }

    @Test(
        "cloud metadata is refused in every spelling, whatever the operator allowed",
        arguments: [
            "169.254.169.254", "169.254.170.2", "169.254.170.23", "fd00:ec2::254", "fd00:ec2::23", "100.100.100.200",
            "168.63.129.16", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe",
        ])
    func metadata(ip: String) throws {
        let network = try #require(Network(parsing: "::/0"))
        let v4 = try #require(Network(parsing: "0.0.0.0/0"))
        let rules = DestinationRules(allowed: .init(networks: [network, v4]))
        #expect(try verdict(ip, rules: rules) == .cloudMetadata)
    }

    @Test("names that lead to cloud metadata are refused before they are looked up")
    func metadataNames() {
        let rules = DestinationRules()
        #expect(rules.judge(Authority(host: "metadata.google.internal", port: 80)) == .cloudMetadata)
        #expect(rules.judge(Authority(host: "shop.test", port: 80)) == .allowed)
    }

    @Test("the proxy's own listeners are refused, a wildcard one under every address of the machine")
    func ownListeners() throws {
        var rules = DestinationRules(ownListeners: [try address("127.0.0.1", 8080)])
        #expect(try verdict("127.0.0.1", port: 8080, rules: rules) == .ownListener)
        #expect(try verdict("::ffff:127.0.0.1", port: 8080, rules: rules) == .ownListener)
        #expect(try verdict("0.0.0.0", port: 8080, rules: rules) == .ownListener)
        #expect(try verdict("127.0.0.1", port: 8081, rules: rules) == .allowed)
        rules = DestinationRules(
            ownListeners: [try address("0.0.0.0", 8080)], localAddresses: [try address("192.0.2.7", 0)])
        #expect(try verdict("192.0.2.7", port: 8080, rules: rules) == .ownListener)
        #expect(try verdict("127.0.0.5", port: 8080, rules: rules) == .ownListener)
        #expect(try verdict("192.0.2.8", port: 8080, rules: rules) == .allowed)
    }

    @Test("loopback is for clients on loopback, unless it is listed")
    func loopback() throws {
        #expect(try verdict("127.0.0.1", fromLoopback: false) == .loopbackForOthers)
        #expect(try verdict("127.0.0.1") == .allowed)
        let pattern = try HostPattern("host.test")
        let rules = DestinationRules(allowed: .init(hosts: [pattern]))
        #expect(try verdict("127.0.0.1", rules: rules, fromLoopback: false) == .allowed)
        let loopback = try address("127.0.0.1", 80)
        #expect(rules.lists(loopback, Authority(host: "host.test", port: 80)))
        #expect(!rules.lists(loopback, Authority(host: "other.test", port: 80)))
        let two = DestinationRules(allowed: .init(networks: [try #require(Network(parsing: "127.0.0.2"))]))
        #expect(two.lists(try address("127.0.0.2", 80), Authority(host: "a.test", port: 80)))
        #expect(!two.lists(loopback, Authority(host: "a.test", port: 80)))
    }

    @Test("what is denied stays denied although it is allowed, and a list of what is allowed refuses the rest")
    func lists() throws {
        let ten = try #require(Network(parsing: "10.0.0.0/8"))
        let one = try #require(Network(parsing: "10.1.0.0/16"))
        let rules = DestinationRules(denied: .init(networks: [one]), allowed: .init(networks: [ten]))
        #expect(try verdict("10.1.2.3", rules: rules) == .denied)
        #expect(try verdict("10.2.2.3", rules: rules) == .allowed)
        #expect(try verdict("192.0.2.1", rules: rules) == .notInAllowList)
    }

    @Test("private networks can be closed")
    func privateNetworks() throws {
        let rules = DestinationRules(allowsPrivateNetworks: false)
        #expect(try verdict("10.0.0.1", rules: rules) == .privateNetwork)
        #expect(try verdict("192.0.2.1", rules: rules) == .allowed)
    }

    private func behindParent(
        _ told: String, port: UInt16 = 80, target: String? = nil, rules: DestinationRules = DestinationRules(),
        fromLoopback: Bool = true
    ) -> DestinationRules.Verdict {
        rules.judge(
            behindParent: Authority(host: told, port: port), for: Authority(host: target ?? told, port: port),
            clientIsLoopback: fromLoopback)
    }

    @Test(arguments: ["169.254.169.254", "2852039166", "0xa9.16689662", "metadata.goog", "fd00:ec2::254"])
    func `behind a parent cloud metadata is refused by name and in every spelling of its address`(host: String) {
        #expect(behindParent(host) == .cloudMetadata)
        #expect(behindParent(host, target: "shop.test") == .cloudMetadata)
    }

    @Test func `behind a parent names are judged as names, literals as addresses, localhost as loopback`() throws {
        let rules = DestinationRules(
            denied: .init(
                networks: [try #require(Network(parsing: "10.0.0.0/8"))], hosts: [try HostPattern("denied.test")]),
            ownListeners: [try address("127.0.0.1", 8080)])
        #expect(behindParent("shop.test", rules: rules) == .allowed)
        #expect(behindParent("denied.test", rules: rules) == .denied)
        #expect(behindParent("10.1.1.1", rules: rules) == .denied)
        #expect(behindParent("10.1.1.1", target: "shop.test", rules: rules) == .denied)
        #expect(behindParent("localhost", port: 8080, rules: rules) == .ownListener)
        #expect(behindParent("a.localhost", rules: rules) == .allowed)
        #expect(behindParent("a.localhost", rules: rules, fromLoopback: false) == .loopbackForOthers)
        #expect(behindParent("127.0.0.1", rules: rules, fromLoopback: false) == .loopbackForOthers)
    }

    @Test func `behind a parent a list of what is allowed admits the names and literals on it alone`() throws {
        let rules = DestinationRules(
            allowed: .init(
                networks: [try #require(Network(parsing: "192.0.2.0/24"))], hosts: [try HostPattern("shop.test")]))
        #expect(behindParent("shop.test", rules: rules) == .allowed)
        #expect(behindParent("192.0.2.1", rules: rules) == .allowed)
        #expect(behindParent("other.test", rules: rules) == .notInAllowList)
    }
}

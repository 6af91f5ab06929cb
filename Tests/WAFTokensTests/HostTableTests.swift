import Testing

@testable import WAFTokens

struct HostTableTests {
    private func table(_ groups: [[String]]) throws -> HostTable<Int> {
        try HostTable(
            try groups.enumerated().map { (patterns: try $1.map { try HostPattern($0) }, value: $0) })
    }

    @Test("Without a port a pattern is for 443 and 80")
    func standardPorts() throws {
        let table = try table([["shop.test"]])
        #expect(table.lookUp(host: "shop.test", port: 443) == 0)
        #expect(table.lookUp(host: "shop.test", port: 80) == 0)
        #expect(table.lookUp(host: "shop.test", port: 8080) == nil)
        #expect(table.lists(host: "SHOP.test."))
        #expect(!table.lists(host: "other.test"))
    }

    @Test("A port, or :* for any")
    func ports() throws {
        let table = try table([["shop.test:8443"], ["any.test:*"]])
        #expect(table.lookUp(host: "shop.test", port: 8443) == 0)
        #expect(table.lookUp(host: "shop.test", port: 443) == nil)
        #expect(table.lookUp(host: "any.test", port: 1) == 1)
        #expect(table.lookUp(host: "any.test", port: 65535) == 1)
    }

    @Test("*. stands for one or more labels on a dot boundary, not for the name itself")
    func wildcard() throws {
        let table = try table([["*.shop.test"]])
        #expect(table.lookUp(host: "a.shop.test", port: 443) == 0)
        #expect(table.lookUp(host: "a.b.c.shop.test", port: 443) == 0)
        #expect(table.lookUp(host: "shop.test", port: 443) == nil)
        #expect(table.lookUp(host: "ashop.test", port: 443) == nil)
        #expect(table.lookUp(host: ".shop.test", port: 443) == nil)
        #expect(table.lookUp(host: "shop.test.evil", port: 443) == nil)
        #expect(table.lists(host: "a.shop.test"))
        #expect(!table.lists(host: "ashop.test"))
    }

    @Test("Case and a trailing dot make no difference")
    func spelling() throws {
        let table = try table([["Shop.Test", "*.Api.Test"]])
        #expect(table.lookUp(host: "SHOP.test.", port: 443) == 0)
        #expect(table.lookUp(host: "X.API.TEST.", port: 443) == 0)
    }

    @Test("IP literals work, IPv6 in any spelling")
    func literals() throws {
        let table = try table([["127.0.0.1:*"], ["[::1]:8443", "[2001:DB8::1]"]])
        #expect(table.lookUp(host: "127.0.0.1", port: 9) == 0)
        #expect(table.lookUp(host: "127.0.0.2", port: 9) == nil)
        #expect(table.lookUp(host: "::1", port: 8443) == 1)
        #expect(table.lookUp(host: "0:0:0:0:0:0:0:1", port: 8443) == 1)
        #expect(table.lookUp(host: "2001:db8:0::1", port: 443) == 1)
    }

    @Test("Exact before *., the longer *. before the shorter, a named port before :*")
    func precedence() throws {
        let table = try table([
            ["*.test:*"], ["*.shop.test:*"], ["a.shop.test:*"], ["a.shop.test:8443"], ["*.shop.test:9000"],
        ])
        #expect(table.lookUp(host: "x.test", port: 1) == 0)
        #expect(table.lookUp(host: "x.shop.test", port: 1) == 1)
        #expect(table.lookUp(host: "a.shop.test", port: 1) == 2)
        #expect(table.lookUp(host: "a.shop.test", port: 8443) == 3)
        #expect(table.lookUp(host: "a.shop.test", port: 9000) == 2)
        #expect(table.lookUp(host: "x.shop.test", port: 9000) == 4)
    }

    @Test("A pattern may stand twice in its own group, not in two groups")
    func conflicts() throws {
        #expect(try table([["shop.test", "shop.test:443"]]).lookUp(host: "shop.test", port: 443) == 0)
        #expect(throws: HostTable<Int>.Conflict.self) { try table([["shop.test"], ["SHOP.test:443"]]) }
        #expect(throws: Never.self) { try table([["shop.test"], ["shop.test:8443"], ["*.shop.test"]]) }
    }

    @Test("An empty table knows nothing")
    func empty() {
        #expect(HostTable<Int>().lookUp(host: "shop.test", port: 443) == nil)
        #expect(HostTable<Int>().isEmpty)
    }

    @Test("Ten thousand patterns are told apart")
    func many() throws {
        let table = try table((0..<10_000).map { ["host-\($0).test", "*.zone-\($0).test:*"] })
        for index in stride(from: 0, to: 10_000, by: 37) {
            #expect(table.lookUp(host: "host-\(index).test", port: 80) == index)
            #expect(table.lookUp(host: "a.zone-\(index).test", port: 7) == index)
        }
        #expect(table.lookUp(host: "host-10000.test", port: 80) == nil)
    }
}

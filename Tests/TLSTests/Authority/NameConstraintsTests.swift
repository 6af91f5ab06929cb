import Testing

@testable import TLS

@Suite struct NameConstraintsTests {
    @Test("A name permits itself and what is below it, a wildcard only what is below, an address itself")
    func permits() throws {
        let constraints = try NameConstraints(hosts: ["shop.test", "*.api.bank.test", "192.0.2.1", "[2001:DB8::1]"])
        #expect(constraints.permittedDNS == [".api.bank.test", "shop.test"])
        #expect(constraints.permittedIPs == ["192.0.2.1", "2001:db8::1"])
        for host in ["shop.test", "a.shop.test", "a.b.api.bank.test", "192.0.2.1", "2001:db8::1", "2001:db8:0::1"] {
            #expect(constraints.permits(host), "\(host)")
        }
        for host in ["workshop.test", "api.bank.test", "bank.test", "test", "192.0.2.2", "2001:db8::2"] {
            #expect(!constraints.permits(host), "\(host)")
        }
    }

    @Test("A kind of name that is not listed is excluded as a whole")
    func excluded() throws {
        let names = try NameConstraints(hosts: ["shop.test"])
        #expect(names.permits("shop.test") && !names.permits("::1") && !names.permits("192.0.2.1"))
        let addresses = try NameConstraints(hosts: ["::1"])
        #expect(addresses.permits("::1") && !addresses.permits("192.0.2.1") && !addresses.permits("shop.test"))
        let nothing = try NameConstraints(hosts: [])
        #expect(!nothing.permits("shop.test") && !nothing.permits("::1"))
    }

    @Test("Order, case, repetition and spelling of addresses make no other constraints")
    func canonical() throws {
        let one = try NameConstraints(hosts: ["a.test", "B.test.", "::1", "a.test"])
        let other = try NameConstraints(hosts: ["b.test", "[0:0::1]", "a.test"])
        #expect(one == other)
        #expect(one.fingerprint == other.fingerprint)
        #expect(try one.fingerprint != NameConstraints(hosts: ["b.test", "a.test"]).fingerprint)
        #expect(try NameConstraints(hosts: ["shop.test"]).fingerprint == "e40f2836a9927392")
    }

    @Test("What is no host is refused", arguments: ["", ".", "a b", "b\u{fc}cher.test", ".shop.test", "[shop.test]"])
    func refused(host: String) {
        #expect(throws: TLSError(.malformedInput, "")) { try NameConstraints(hosts: [host]) }
    }
}

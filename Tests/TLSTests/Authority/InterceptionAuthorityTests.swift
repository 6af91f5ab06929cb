import Foundation
import Testing

@testable import TLS

@Suite struct InterceptionAuthorityTests {
    @Test("Clients trust a root; the intermediate below it is constrained, and its key is the only one there is")
    func shape() throws {
        let constraints = try NameConstraints(hosts: ["shop.test", "*.api.bank.test"])
        let authority = try InterceptionAuthority(constraints: constraints, now: Pair.now)
        #expect(authority.chain.count == 1)
        #expect(authority.trustAnchor.isSelfIssued && !authority.chain[0].isSelfIssued)
        #expect(authority.chain[0].isIssued(by: authority.trustAnchor))
        #expect(!authority.trustAnchor.certifies(authority.issuer.key))
        #expect(authority.notBefore == Pair.now - 48 * 3600)
        #expect(authority.notAfter == Pair.now + 730 * 86400)
        let text = try describe(authority.chain[0])
        for part in [
            "Basic Constraints: critical\n                CA:TRUE, pathlen:0", "TLS Web Server Authentication",
            "Key Usage: critical\n                Certificate Sign, CRL Sign", "Name Constraints: critical",
            "Permitted:\n                  DNS:.api.bank.test\n                  DNS:shop.test",
            "Excluded:\n                  IP:0.0.0.0/0.0.0.0\n                  IP:0:0:0:0:0:0:0:0/0:0:0:0:0:0:0:0",
            "Subject Key Identifier", "Authority Key Identifier", "CN = waf-token-proxy intermediate ",
        ] {
            #expect(text.contains(part), "\(part)\n\(text)")
        }
        let root = try describe(authority.trustAnchor)
        #expect(!root.contains("Name Constraints") && !root.contains("pathlen") && !root.contains("Extended"))
    }

    @Test("Where only addresses are permitted, no name is; unconstrained has no constraints at all")
    func otherConstraints() throws {
        let addresses = try InterceptionAuthority(
            constraints: NameConstraints(hosts: ["192.0.2.1", "2001:db8::1"]), now: Pair.now)
        let text = try describe(addresses.chain[0])
        #expect(text.contains("IP:192.0.2.1/255.255.255.255\n"), "\(text)")
        #expect(text.contains("IP:2001:DB8:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF"), "\(text)")
        #expect(text.contains("DNS:invalid\n") && !text.contains("Excluded"), "\(text)")
        let free = try InterceptionAuthority(constraints: nil, now: Pair.now)
        #expect(try !describe(free.chain[0]).contains("Name Constraints"))
    }

    @Test("It survives the way through PEM")
    func pem() throws {
        let authority = try InterceptionAuthority(constraints: nil, now: Pair.now)
        let read = try InterceptionAuthority(certificatePEM: authority.certificatePEM(), keyPEM: authority.keyPEM())
        #expect(read.trustAnchorPEM == authority.trustAnchorPEM)
        #expect(try read.certificatePEM() == authority.certificatePEM())
        #expect(read.notAfter == authority.notAfter)
        let store = try LeafStore(authority: read) { Pair.now }
        #expect(try store.identity(for: "shop.test").chain[0].isIssued(by: authority.chain[0]))
    }

    private func describe(_ certificate: Certificate) throws -> String {
        try withFolder { folder in
            let file = folder.appending(path: "x.pem").path
            try certificate.pem().write(toFile: file, atomically: true, encoding: .utf8)
            return try run(["openssl", "x509", "-in", file, "-noout", "-text"]).output
        }
    }
}

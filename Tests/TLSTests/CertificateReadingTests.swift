import Foundation
import Testing

@testable import TLS

@Suite struct CertificateReadingTests {
    @Test("Validity, fingerprint and subject are what openssl says")
    func openssl() throws {
        let authority = try InterceptionAuthority(constraints: NameConstraints(hosts: ["shop.test"]), now: Pair.now)
        let certificate = authority.chain[0]
        try withFolder { folder in
            let file = folder.appending(path: "x.pem").path
            try certificate.pem().write(toFile: file, atomically: true, encoding: .utf8)
            let printed = try run([
                "openssl", "x509", "-in", file, "-noout", "-fingerprint", "-sha256", "-subject", "-nameopt", "RFC2253",
            ])
            let lines = printed.output.split(separator: "\n")
            let digits = lines[0].split(separator: "=")[1].replacing(":", with: "").lowercased()
            #expect(try certificate.fingerprint() == digits)
            #expect(try lines[1] == "subject=" + certificate.subject())
        }
        #expect(try certificate.validity() == (Pair.now - 48 * 3600)..<(Pair.now + 730 * 86400))
    }

    @Test("Who issued whom is told by signature, not by name alone")
    func issued() throws {
        let one = try InterceptionAuthority(constraints: nil, now: Pair.now)
        let other = try InterceptionAuthority(constraints: nil, now: Pair.now)
        #expect(one.chain[0].isIssued(by: one.trustAnchor))
        #expect(!one.chain[0].isIssued(by: other.trustAnchor))
        #expect(!one.trustAnchor.isIssued(by: one.chain[0]))
        #expect(one.trustAnchor.isAuthority && one.chain[0].isAuthority)
        let leaf = try LeafStore(authority: one) { Pair.now }.identity(for: "shop.test")
        #expect(!leaf.chain[0].isAuthority && !leaf.chain[0].isSelfIssued)
        #expect(leaf.chain[0].certifies(leaf.key) && !one.chain[0].certifies(leaf.key))
        #expect(OpenSSLFault.drain().isEmpty)
    }

    @Test("Constraints are read as they were made")
    func constraints() throws {
        let authority = try InterceptionAuthority(constraints: NameConstraints(hosts: ["shop.test"]), now: Pair.now)
        let text = try #require(try authority.chain[0].nameConstraints())
        #expect(text.hasPrefix("Permitted: DNS:shop.test Excluded: IP:0.0.0.0/0.0.0.0"), "\(text)")
        #expect(try authority.trustAnchor.nameConstraints() == nil)
        #expect(try authority.permits("a.shop.test") && !authority.permits("other.test"))
        #expect(try !authority.permits("192.0.2.1"))
    }
}

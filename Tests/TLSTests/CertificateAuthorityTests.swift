import Foundation
import Testing

@testable import TLS

@Suite struct CertificateAuthorityTests {
    private let authority: CertificateAuthority
    init() throws { authority = try CertificateAuthority(name: "waf-token-proxy test", now: Pair.now) }

    @Test(
        "openssl verify accepts the chain in strict mode",
        arguments: [
            (["shop.test"], []), (["shop.test", "*.api.shop.test"], ["127.0.0.1", "::1"]),
            (["a_b.xn--bcher-kva.test"], []),
            ([], ["192.0.2.1"]), ([String(repeating: "long.", count: 40) + "test"], []),
        ] as [([String], [String])])
    func verifies(names: [String], addresses: [String]) throws {
        let leaf = try authority.issueLeaf(dnsNames: names, ipAddresses: addresses, now: Pair.now)
        try withFolder { folder in
            let root = folder.appending(path: "ca.pem").path
            let file = folder.appending(path: "leaf.pem").path
            try authority.certificate.pem().write(toFile: root, atomically: true, encoding: .utf8)
            try leaf.chain[0].pem().write(toFile: file, atomically: true, encoding: .utf8)
            var command = ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", root]
            if let name = names.first { command += ["-verify_hostname", name] }
            if let address = addresses.first { command += ["-verify_ip", address] }
            let result = try run(command + [file])
            #expect(result.status == 0, "\(result.output)")

            let text = try run(["openssl", "x509", "-in", file, "-noout", "-text"]).output
            #expect(text.contains("TLS Web Server Authentication"))
            let hasSubject = (names.first?.utf8.count ?? 64) <= 63
            #expect(text.contains("X509v3 Subject Alternative Name: " + (hasSubject ? "\n" : "critical")))
            for name in names { #expect(text.contains("DNS:\(name)")) }
        }
    }

    @Test("Root and leaf are valid from 48 hours back, the leaf for 30 days, never beyond the root")
    func validity() throws {
        func dates(_ certificate: Certificate) throws -> [Date] {
            try withFolder { folder in
                let file = folder.appending(path: "x.pem").path
                try certificate.pem().write(toFile: file, atomically: true, encoding: .utf8)
                let lines = try run(["openssl", "x509", "-in", file, "-noout", "-dates", "-dateopt", "iso_8601"]).output
                return lines.split(separator: "\n").compactMap {
                    try? Date(
                        String($0.split(separator: "=")[1]).replacing(" ", with: "T"), strategy: .iso8601)
                }
            }
        }
        let now = Date(timeIntervalSince1970: Double(Pair.now))
        let day = 86400.0
        #expect(try dates(authority.certificate) == [now - 2 * day, now + 730 * day])
        let leaf = try authority.issueLeaf(dnsNames: ["shop.test"], now: Pair.now)
        #expect(try dates(leaf.chain[0]) == [now - 2 * day, now + 30 * day])
        let late = try authority.issueLeaf(dnsNames: ["shop.test"], now: Pair.now + 720 * 86400)
        #expect(try dates(late.chain[0])[1] == now + 730 * day)
    }

    @Test("Two authorities of one name have different subjects, and serial numbers never repeat")
    func distinct() throws {
        let other = try CertificateAuthority(name: "waf-token-proxy test", now: Pair.now)
        try withFolder { folder in
            func read(_ certificate: Certificate, _ what: String) throws -> String {
                let file = folder.appending(path: UUID().uuidString).path
                try certificate.pem().write(toFile: file, atomically: true, encoding: .utf8)
                return try run(["openssl", "x509", "-in", file, "-noout", what]).output
            }
            #expect(try read(authority.certificate, "-subject") != read(other.certificate, "-subject"))
            #expect(try read(authority.certificate, "-subject").contains("waf-token-proxy test "))
            let serials = try (0..<20).map { _ in
                try read(authority.issueLeaf(dnsNames: ["shop.test"], now: Pair.now).chain[0], "-serial")
            }
            #expect(Set(serials).count == 20)
            #expect(serials.allSatisfy { $0.count == "serial=".count + 32 + 1 })
        }
    }

    @Test(
        "What is no name or address is refused",
        arguments: [([""], []), (["a b"], []), (["b\u{fc}cher.test"], []), (["a"], ["1.2.3"]), (["a"], ["x"])]
            as [([String], [String])])
    func refused(names: [String], addresses: [String]) {
        #expect(throws: TLSError(.malformedInput, "")) {
            try authority.issueLeaf(dnsNames: names, ipAddresses: addresses, now: Pair.now)
        }
        #expect(OpenSSLFault.drain().isEmpty)
    }

    @Test("A name in a certificate cannot smuggle in another one")
    func comma() throws {
        let leaf = try authority.issueLeaf(dnsNames: ["a.test,DNS:b.test"], now: Pair.now)
        let server = try TLSContext(serverIdentity: leaf)
        let client = try TLSSession(context: TLSContext(trusting: [authority.certificate]), peerName: "b.test")
        let session = try TLSSession(context: server)
        _ = try client.handshake()
        client.withOutput { session.feed($0) }
        _ = try session.handshake()
        session.withOutput { client.feed($0) }
        #expect(throws: TLSError(.certificate, "")) { try client.handshake() }
    }
}

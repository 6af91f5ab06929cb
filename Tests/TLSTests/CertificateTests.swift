import Testing

@testable import TLS

@Suite struct CertificateTests {
    @Test("Certificates and keys survive the way through PEM")
    func pem() throws {
        let authority = try CertificateAuthority(name: "a", now: Pair.now)
        let leaf = try authority.issueLeaf(dnsNames: ["shop.test"], now: Pair.now)
        let text = try leaf.chain[0].pem() + authority.certificate.pem()
        let chain = try Certificate.chain(pem: text)
        #expect(try chain.map { try $0.pem() } == [leaf.chain[0].pem(), authority.certificate.pem()])
        #expect(try Certificate(pem: text).pem() == leaf.chain[0].pem())
        let key = try PrivateKey(pem: leaf.key.pem())
        #expect(try key.fingerprint() == leaf.key.fingerprint())
        #expect(try key.fingerprint().utf8.count == 8)
        _ = try TLSContext(serverIdentity: TLSIdentity(chain: chain, key: key))
        #expect(OpenSSLFault.drain().isEmpty)
    }

    @Test("Text that is no PEM is refused", arguments: ["", "hello", "-----BEGIN CERTIFICATE-----\nxxx\n"])
    func noPEM(text: String) {
        #expect(throws: TLSError(.malformedInput, "")) { try Certificate(pem: text) }
        #expect(throws: TLSError(.malformedInput, "")) { try Certificate.chain(pem: text) }
        #expect(throws: TLSError(.malformedInput, "")) { try PrivateKey(pem: text) }
        #expect(OpenSSLFault.drain().isEmpty)
    }

    @Test("A broken certificate after a good one is not passed over")
    func brokenSecond() throws {
        let authority = try CertificateAuthority(name: "a", now: Pair.now)
        let text = try authority.certificate.pem() + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        #expect(throws: TLSError(.malformedInput, "")) { try Certificate.chain(pem: text) }
    }
}

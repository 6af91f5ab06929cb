import Testing

@testable import TLS

@Suite struct TLSContextTests {
    @Test(
        "ALPN: the server's preference among what the client offers, or none",
        arguments: [
            (["h2", "http/1.1"], ["http/1.1"], "http/1.1"),
            (["http/1.1", "h2"], ["h2", "http/1.1"], "h2"),
            (["h2"], ["http/1.1"], nil),
            ([], ["http/1.1"], nil),
            (["http/1.1"], [], nil),
        ] as [([String], [String], String?)])
    func protocols(offered: [String], served: [String], expected: String?) throws {
        let pair = try Pair(clientProtocols: offered, serverProtocols: served)
        try pair.pump()
        #expect(pair.server.state == .open)
        #expect(pair.server.negotiatedProtocol == expected)
        #expect(pair.client.negotiatedProtocol == expected)
    }

    @Test("ALPN names of no or too many bytes are refused", arguments: ["", String(repeating: "x", count: 256)])
    func oddProtocol(name: String) throws {
        let authority = try CertificateAuthority(name: "a", now: Pair.now)
        #expect(throws: TLSError(.malformedInput, "")) {
            try TLSContext(trusting: [authority.certificate], protocols: [name])
        }
    }

    @Test("Versions that do not meet fail the handshake on both sides")
    func versions() throws {
        let pair = try Pair(clientVersions: .tls12 ... .tls12, serverVersions: .tls13 ... .tls13)
        #expect(throws: TLSError(.handshake, "")) { try pair.pump() }
        #expect(pair.server.state == .failed)
        #expect(pair.server.hasOutput, "an alert")
        pair.carry(from: pair.server, to: pair.client)
        #expect(throws: TLSError(.handshake, "")) { try pair.client.handshake() }
    }

    @Test(
        "The client accepts the names and addresses of the leaf, and no other",
        arguments: [
            ("shop.test", true), ("a.api.shop.test", true), ("127.0.0.1", true), ("::1", true),
            ("other.test", false), ("a.b.api.shop.test", false), ("127.0.0.2", false),
        ])
    func names(name: String, isAccepted: Bool) throws {
        let pair = try Pair(peerName: name)
        if isAccepted {
            try pair.pump()
            #expect(pair.client.state == .open)
        } else {
            #expect(throws: TLSError(.certificate, "")) { try pair.pump() }
        }
    }

    @Test("A root that the client does not trust is refused")
    func strangeRoot() throws {
        let one = try CertificateAuthority(name: "one", now: Pair.now)
        let other = try CertificateAuthority(name: "other", now: Pair.now)
        let server = try TLSSession(
            context: TLSContext(serverIdentity: one.issueLeaf(dnsNames: ["shop.test"], now: Pair.now)))
        let client = try TLSSession(context: TLSContext(trusting: [other.certificate]), peerName: "shop.test")
        _ = try client.handshake()
        client.withOutput { server.feed($0) }
        _ = try server.handshake()
        server.withOutput { client.feed($0) }
        let error = #expect(throws: TLSError(.certificate, "")) { try client.handshake() }
        #expect(error?.detail.contains("issuer certificate") == true, "\(error?.detail ?? "")")
    }

    @Test("A key that does not belong to the certificate is refused")
    func wrongKey() throws {
        let authority = try CertificateAuthority(name: "a", now: Pair.now)
        let leaf = try authority.issueLeaf(dnsNames: ["shop.test"], now: Pair.now)
        let mixed = TLSIdentity(chain: leaf.chain, key: try PrivateKey.generateP256())
        #expect(throws: TLSError(.library, "")) { try TLSContext(serverIdentity: mixed) }
        #expect(OpenSSLFault.drain().isEmpty)
        #expect(throws: TLSError(.malformedInput, "")) {
            try TLSContext(serverIdentity: TLSIdentity(chain: [], key: leaf.key))
        }
    }
}

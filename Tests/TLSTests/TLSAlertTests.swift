import Testing

@testable import TLS

@Suite struct TLSAlertTests {
    @Test("A client that does not know the authority says so, and the server tells which alert it was")
    func unknownAuthority() throws {
        let authority = try CertificateAuthority(name: "theirs", now: Pair.now)
        let identity = try authority.issueLeaf(dnsNames: ["shop.test"], now: Pair.now)
        let server = try TLSSession(context: TLSContext(serverIdentity: identity))
        let client = try TLSSession(context: TLSContext(trusting: []), peerName: "shop.test")
        _ = try client.handshake()
        client.withOutput { server.feed($0) }
        _ = try server.handshake()
        server.withOutput { client.feed($0) }
        #expect(throws: TLSError.self) { _ = try client.handshake() }
        client.withOutput { server.feed($0) }
        let error = #expect(throws: TLSError.self) { _ = try server.handshake() }
        #expect(error?.peerAlert == .unknownCA)
    }

    @Test("A record in clear text is an alert that a client understands")
    func record() throws {
        let client = try TLSSession(context: TLSContext(trusting: []), peerName: "shop.test")
        _ = try client.handshake()
        client.feed(TLSAlert.unrecognizedName.record.span)
        let error = #expect(throws: TLSError.self) { _ = try client.handshake() }
        #expect(error?.peerAlert == .unrecognizedName)
        #expect(error?.faults.contains { $0.description.contains("unrecognized name") } == true)
    }
}

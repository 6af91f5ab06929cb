import Testing

@testable import TLS

@Suite struct TLSSessionTests {
    @Test("A handshake succeeds however its bytes are cut", arguments: [1, 2, 3, 5, 7, 100, 1000, Int.max])
    func handshakeInPieces(step: Int) throws {
        for version in [TLSContext.Version.tls12, .tls13] {
            let pair = try Pair(clientVersions: version...version)
            try pair.pump(step: step)
            #expect(pair.client.state == .open)
            #expect(pair.server.state == .open)
            #expect(pair.server.version == (version == .tls12 ? "TLSv1.2" : "TLSv1.3"))
            #expect(pair.server.serverName == "shop.test")
        }
    }

    @Test("A client hello that is cut at any one byte waits for the rest")
    func helloCutAnywhere() throws {
        let length = try { () throws -> Int in
            let pair = try Pair()
            _ = try pair.client.handshake()
            return pair.client.takeOutput().count
        }()
        for cut in 0..<length {
            let pair = try Pair()
            _ = try pair.client.handshake()
            let hello = pair.client.takeOutput()
            pair.server.feed(Array(hello.prefix(min(cut, hello.count))).span)
            #expect(try pair.server.handshake() == .needsInput)
            pair.server.feed(Array(hello.dropFirst(cut)).span)
            _ = try pair.server.handshake()
            try pair.pump()
            #expect(pair.server.state == .open)
        }
    }

    @Test("What is written comes out whole, in both directions", arguments: [0, 1, 16384, 16385, 1_000_000])
    func data(size: Int) throws {
        let pair = try Pair()
        try pair.pump()
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try pair.client.write(bytes.span)
        pair.carry(from: pair.client, to: pair.server)
        let up = try pair.server.readAll()
        #expect(up.bytes == bytes)
        #expect(up.end == .needsInput)
        try pair.server.write(bytes.span)
        pair.carry(from: pair.server, to: pair.client)
        #expect(try pair.client.readAll().bytes == bytes)
    }

    @Test("Records that arrive byte by byte come out when they are whole")
    func dataInPieces() throws {
        let pair = try Pair()
        try pair.pump()
        _ = try pair.client.readAll()  // the tickets
        try pair.server.write(Array("one".utf8).span)
        try pair.server.write(Array("two".utf8).span)
        var received: [UInt8] = []
        for piece in pair.server.takeOutput().pieces(of: 1) {
            pair.client.feed(piece.span)
            received += try pair.client.readAll().bytes
        }
        #expect(received == Array("onetwo".utf8))
    }

    @Test("close_notify ends one side in order, the other side goes on")
    func shutdown() throws {
        let pair = try Pair()
        try pair.pump()
        try pair.client.write(Array("last".utf8).span)
        pair.client.close()
        pair.client.close()
        #expect(pair.client.didClose)
        pair.carry(from: pair.client, to: pair.server)
        let up = try pair.server.readAll()
        #expect(up.bytes == Array("last".utf8))
        #expect(up.end == .closed)

        try pair.server.write(Array("answer".utf8).span)
        pair.server.close()
        pair.carry(from: pair.server, to: pair.client)
        let down = try pair.client.readAll()
        #expect(down.bytes == Array("answer".utf8))
        #expect(down.end == .closed)
        #expect(throws: TLSError(.notOpen, "")) { try pair.client.write([1].span) }
    }

    @Test("A transport that ends without close_notify is an error, after what did arrive")
    func truncation() throws {
        let pair = try Pair()
        try pair.pump()
        try pair.client.write(Array("cut".utf8).span)
        pair.carry(from: pair.client, to: pair.server)
        pair.server.feedEnd()
        var received: [UInt8] = []
        #expect(try pair.server.read(into: &received) == .bytes(3))
        #expect(throws: TLSError(.truncated, "")) { try pair.server.read(into: &received) }
        #expect(pair.server.state == .failed)
    }

    @Test("A transport that ends in the handshake is an error")
    func truncatedHandshake() throws {
        let pair = try Pair()
        _ = try pair.client.handshake()
        pair.server.feed(Array(pair.client.takeOutput().prefix(50)).span)
        #expect(try pair.server.handshake() == .needsInput)
        pair.server.feedEnd()
        #expect(throws: TLSError(.truncated, "")) { try pair.server.handshake() }
    }

    @Test(
        "Bytes that are not TLS fail the handshake, and leave nothing in the error queue",
        arguments: [
            "GET / HTTP/1.1\r\nHost: shop.test\r\n\r\n", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
            "\u{16}\u{3}\u{1}\u{0}\u{5}xxxxx",
        ])
    func garbage(text: String) throws {
        let pair = try Pair()
        pair.server.feed(Array(text.utf8).span)
        let error = #expect(throws: TLSError(.handshake, "")) { try pair.server.handshake() }
        #expect(error?.faults.isEmpty == false)
        #expect(OpenSSLFault.drain().isEmpty)
        #expect(pair.server.state == .failed)

        let other = try Pair()
        try other.pump()
        #expect(other.server.state == .open)
    }

    @Test("A record that was altered on the way is refused with an alert")
    func alteredRecord() throws {
        let pair = try Pair()
        try pair.pump()
        try pair.client.write(Array("precious".utf8).span)
        var record = pair.client.takeOutput()
        record[record.count - 1] ^= 1
        pair.server.feed(record.span)
        var received: [UInt8] = []
        let error = #expect(throws: TLSError(.record, "")) { try pair.server.read(into: &received) }
        #expect(error?.description.contains("bad record") == true, "\(error?.description ?? "")")
        #expect(received.isEmpty)
        #expect(pair.server.hasOutput)
    }

    @Test("Nothing is read or written before the handshake is over")
    func early() throws {
        let pair = try Pair()
        var received: [UInt8] = []
        #expect(throws: TLSError(.notOpen, "")) { try pair.client.write([1].span) }
        #expect(throws: TLSError(.notOpen, "")) { try pair.client.read(into: &received) }
        pair.client.close()
        #expect(!pair.client.hasOutput)
    }

    @Test("Sessions of one context show each its own certificate, and a ticket for one name opens no other")
    func identityPerSession() throws {
        let authority = try CertificateAuthority(name: "test authority", now: Pair.now)
        let context = try TLSContext(serverProtocols: ["http/1.1"])
        for name in ["one.test", "two.test"] {
            let identity = try authority.issueLeaf(dnsNames: [name], now: Pair.now)
            let server = try TLSSession(context: context, identity: identity, name: name)
            let client = try TLSSession(
                context: TLSContext(trusting: [authority.certificate], protocols: ["h2", "http/1.1"]), peerName: name)
            try Pair(client: client, server: server).pump()
            #expect(client.state == .open)
            #expect(server.negotiatedProtocol == "http/1.1")
        }
    }

    @Test("A client that offers only protocols that we do not speak is refused with the alert for that")
    func noProtocol() throws {
        let authority = try CertificateAuthority(name: "test authority", now: Pair.now)
        let identity = try authority.issueLeaf(dnsNames: ["one.test"], now: Pair.now)
        let server = try TLSSession(
            context: TLSContext(serverProtocols: ["http/1.1"]), identity: identity, name: "one.test")
        let client = try TLSSession(
            context: TLSContext(trusting: [authority.certificate], protocols: ["h2"]), peerName: "one.test")
        _ = try client.handshake()
        client.withOutput { server.feed($0) }
        #expect(throws: TLSError.self) { _ = try server.handshake() }
        server.withOutput { client.feed($0) }
        let error = #expect(throws: TLSError.self) { _ = try client.handshake() }
        #expect(error?.faults.contains { $0.description.contains("no application protocol") } == true)
    }
}

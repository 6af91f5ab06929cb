import Testing

@testable import TLS

@Suite struct ClientHelloTests {
    private static func hello(
        name: String? = "shop.test", protocols: [String] = [],
        versions: ClosedRange<TLSContext.Version> = .tls12 ... .tls13
    ) throws -> [UInt8] {
        let session = try TLSSession(
            context: TLSContext(trusting: [], protocols: protocols, versions: versions), peerName: name)
        _ = try session.handshake()
        return session.takeOutput()
    }

    @Test("A hello tells name and protocols", arguments: [TLSContext.Version.tls12, .tls13])
    func nameAndProtocols(version: TLSContext.Version) throws {
        let bytes = try Self.hello(protocols: ["h2", "http/1.1"], versions: version...version)
        guard case .hello(let hello) = ClientHello.read(bytes.span) else {
            Issue.record("no hello")
            return
        }
        #expect(hello.serverName == "shop.test")
        #expect(hello.protocols == ["h2", "http/1.1"])
    }

    @Test("A client that dials an address names none")
    func address() throws {
        let bytes = try Self.hello(name: "127.0.0.1")
        guard case .hello(let hello) = ClientHello.read(bytes.span) else {
            Issue.record("no hello")
            return
        }
        #expect(hello.serverName == nil)
        #expect(hello.protocols.isEmpty)
    }

    @Test("Every part of a hello waits for the rest")
    func everyCut() throws {
        let bytes = try Self.hello()
        for count in 0..<bytes.count {
            #expect(ClientHello.read(bytes.span.extracting(first: count)) == .incomplete, "\(count) bytes")
        }
        let more: [UInt8] = bytes + [23, 3, 3, 0, 1]
        #expect(ClientHello.read(more.span) == ClientHello.read(bytes.span))
    }

    @Test("A hello may be cut into records of any size", arguments: [1, 2, 3, 4, 5, 50, 200])
    func records(size: Int) throws {
        let whole = try Self.hello()
        var cut: [UInt8] = []
        for piece in Array(whole.dropFirst(5)).pieces(of: size) {
            cut += [22, 3, 1, UInt8(piece.count >> 8), UInt8(piece.count & 255)] + piece
        }
        #expect(ClientHello.read(cut.span) == ClientHello.read(whole.span))
    }

    @Test(
        "What no TLS client sends first is not TLS",
        arguments: ["GET / HTTP/1.1\r\n", "SSH-2.0-OpenSSH\r\n", "\u{16}\u{2}", "\u{0}"])
    func other(text: String) {
        #expect(ClientHello.read(Array(text.utf8).span) == .notTLS)
    }

    @Test("A hello with a length beyond its end, a foreign message and a record of another kind are unreadable")
    func broken() throws {
        var lies = try Self.hello()
        lies[5 + 4 + 34] = 255  // the session id's length
        #expect(ClientHello.read(lies.span) == .unreadable)
        var finished = try Self.hello()
        finished[5] = 20
        #expect(ClientHello.read(finished.span) == .unreadable)
        let interrupted: [UInt8] = [22, 3, 1, 0, 1, 1, 21, 3, 1, 0, 2, 2, 0]
        #expect(ClientHello.read(interrupted.span) == .unreadable)
        let huge: [UInt8] = [22, 3, 1, 0, 4, 1, 255, 255, 255]
        #expect(ClientHello.read(huge.span) == .unreadable)
    }

    @Test("No change of one byte makes it trap")
    func mutations() throws {
        let whole = try Self.hello(protocols: ["h2"])
        for index in whole.indices {
            for value: UInt8 in [0, 1, 127, 255] {
                var bytes = whole
                bytes[index] = value
                _ = ClientHello.read(bytes.span)
            }
        }
    }
}

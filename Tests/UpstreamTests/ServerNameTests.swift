import HTTP
import Testing
import Upstream

/// What a TLS handshake tells of the host, looked at on the wire.
@Suite(.timeLimit(.minutes(1)))
struct ServerNameTests {
    /// The ClientHello of a request to `host`, as Latin-1.
    private func hello(_ host: String) async throws -> String {
        let server = RawServer { connection in
            guard let record = connection.readExactly(5) else { return }
            _ = connection.readExactly(Int(record[3]) << 8 | Int(record[4]))
        }
        defer { server.stop() }
        let authority = Authority(host: host, port: 443)
        _ = try await withClient {
            $0.resolve = [authority: Endpoint(host: "127.0.0.1", port: server.port)]
        } _: {
            await $0.perform(request(port: 443, host: host, scheme: .https))
        }
        return server.received()
    }

    @Test func `a name is sent as SNI`() async throws {
        let bytes = try await hello("shop.test")
        // Extension 0, its length, the list's, type 0, the name's length, the name (RFC 6066 §3).
        #expect(bytes.contains("\0\0\0\u{0e}\0\u{0c}\0\0\u{09}shop.test"))
    }

    @Test(arguments: ["192.0.2.1", "2001:db8::1"])
    func `an address is not`(host: String) async throws {
        let bytes = try await hello(host)
        #expect(bytes.utf8.count > 100)
        #expect(!bytes.contains(host))
    }
}

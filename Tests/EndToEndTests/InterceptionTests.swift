import Foundation
import Testing

/// `https://` URLs of listed hosts, through CONNECT, from real clients to a real endpoint over TLS.
@Suite(.timeLimit(.minutes(10)))
struct InterceptionTests {
    @Test("curl gets a protected path over https, its challenge resolved, and an unlisted host's own certificate")
    func curl() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(
                for: emulator, provider: ["hosts": ["shop.test"]],
                more: ["upstream": ["resolve": ["shop.test:444": "\(emulator.https)"]]])
            let trusted = try await rig.trustedFile()
            for round in 0..<2 {
                if round == 1 { try await emulator.advanceClock(400) }
                let result = try await rig.run(
                    "curl", ["-sS", "--fail", "--cacert", trusted, "https://shop.test/get"],
                    environment: proxy.environment)
                #expect(result.status == .exited(0), "\(result.errors)")
            }
            #expect(try await emulator.requests(verdict: "challenge").count == 1)
            // The port is not listed: what the client sees is signed by the emulator's own authority.
            for (authority, status) in [(emulator.caFile, 0), (trusted, 60)] {
                let unlisted = try await rig.run(
                    "curl", ["-sS", "--cacert", authority, "https://shop.test:444/get"], environment: proxy.environment)
                #expect(unlisted.status == .exited(Int32(status)), "\(unlisted.errors)")
            }
        }
    }

    @Test("clients of TLS 1.0 and 1.1 are refused with an alert, and the log says why")
    func oldVersions() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            for version in ["-tls1", "-tls1_1"] {
                let result = try await rig.run(
                    "openssl",
                    [
                        "s_client", "-proxy", "\(proxy.address)", "-connect", "shop.test:443", "-servername",
                        "shop.test", version, "-cipher", "ALL:@SECLEVEL=0",
                    ])
                #expect(result.status != .exited(0))
                #expect(result.errors.contains("alert protocol version"), "\(result.errors)")
            }
            _ = try await eventually("the log's line") {
                proxy.process.output.records.contains {
                    $0["sign"].string == "the TLS handshake failed: unsupported protocol"
                } ? true : nil
            }
        }
    }

    /// What `first_handshakes.py` found.
    private func handshakes(_ what: String, _ rig: Rig, _ proxy: RunningProxy) async throws -> JSON {
        let client = try await rig.run(
            Places.python,
            [Places.support("first_handshakes.py"), what, "\(proxy.address)", try await rig.trustedFile()],
            within: .seconds(120))
        try #require(client.status == .exited(0), "\(client.errors)")
        return JSON(parsing: String(decoding: client.output, as: UTF8.self)) ?? .null
    }

    @Test("a hello cut at any byte is read whole, and fifty first handshakes at once are shown one certificate")
    func firstHandshakes() async throws {
        try await Rig.with { rig in
            let proxy = try await rig.proxy(for: try await rig.emulator())
            #expect(try await handshakes("at_once", rig, proxy) == ["connections": 50, "certificates": 1])
            #expect(try await handshakes("cut", rig, proxy) == ["whole": true])
        }
    }

    @Test("inside CONNECT to a listed host, HTTP in the clear gets the token, and SSH goes through byte for byte")
    func noTLS() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(
                for: emulator,
                more: [
                    "upstream": [
                        "resolve": ["shop.test:80": "\(emulator.http)", "shop.test:22": "\(odd.tcp)"]
                    ]
                ])
            let plain = try await rig.run(
                "curl", ["-sS", "--fail", "--proxytunnel", "http://shop.test/get"], environment: proxy.environment)
            #expect(plain.status == .exited(0), "\(plain.errors)")
            #expect(try await emulator.requests(verdict: "accepted").count == 1)
            let said = "SSH-2.0-OpenSSH_9.2p1\r\n" + String(repeating: "\u{0}\u{16}\u{3}\u{1}", count: 1000)
            let heard = try await onThread {
                let connection = try RawConnection(to: proxy.address)
                try connection.send("CONNECT shop.test:22 HTTP/1.1\r\nHost: shop.test:22\r\n\r\n")
                _ = connection.receive { $0.suffix(4) == Data("\r\n\r\n".utf8) }
                try connection.send(said)
                connection.finishSending()
                return connection.receive()
            }
            #expect(heard.data == Data(said.utf8))
            #expect(heard.ending == .end)
        }
    }

    @Test("a client without trust is named in the log with the variable to set")
    func distrust() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            for _ in 0..<2 {
                let result = try await rig.run(
                    "curl", ["-sS", "https://shop.test/get"], environment: proxy.environment)
                #expect(result.status == .exited(60))
            }
            let told = try await eventually("a warning") {
                let lines = proxy.process.output.records.filter { $0["sign"].string == "unknown_ca" }
                return lines.isEmpty ? nil : lines
            }
            #expect(told.count == 1)
            #expect(told[0]["runtime"].string == "curl")
            #expect(told[0]["set"].string?.contains("CURL_CA_BUNDLE") == true)
            #expect(try await emulator.requests().isEmpty)
        }
    }
}

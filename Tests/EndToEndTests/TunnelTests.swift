import Foundation
import Testing

/// CONNECT: bytes go through untouched.
@Suite(.timeLimit(.minutes(10)))
struct TunnelTests {
    @Test("A tunnel carries bytes both ways and passes on the end of one side while the other goes on")
    func halfClose() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let sent = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
            let (opening, back, ending) = try await onThread {
                let connection = try RawConnection(to: proxy.address)
                try connection.send("CONNECT \(odd.tcp) HTTP/1.1\r\nHost: \(odd.tcp)\r\n\r\n")
                let opening = connection.receive { $0.suffix(4) == Data("\r\n\r\n".utf8) }.data
                try connection.send(sent)
                connection.finishSending()
                let rest = connection.receive()
                return (String(decoding: opening, as: UTF8.self), rest.data, rest.ending)
            }
            #expect(opening.hasPrefix("HTTP/1.1 200"))
            #expect(!opening.lowercased().contains("content-length"))
            #expect(!opening.lowercased().contains("transfer-encoding"))
            #expect(back == sent)
            #expect(ending == .end)
        }
    }

    @Test("Bytes that a client sends right behind CONNECT are not lost")
    func eagerClient() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let all = try await onThread {
                let connection = try RawConnection(to: proxy.address)
                try connection.send("CONNECT \(odd.tcp) HTTP/1.1\r\nHost: \(odd.tcp)\r\n\r\nat once")
                connection.finishSending()
                return connection.receive().data
            }
            #expect(String(decoding: all, as: UTF8.self).hasSuffix("\r\n\r\nat once"))
        }
    }

    @Test("curl talks TLS with the origin itself through the tunnel, and upstream.resolve applies")
    func curlThroughTunnel() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator, provider: ["hosts": ["other.test"]])
            try await emulator.setRules([("/", "allow")])
            let result = try await rig.run(
                "curl", ["-sS", "--fail", "--cacert", emulator.caFile, "https://shop.test/get"],
                environment: proxy.environment)
            #expect(result.status == .exited(0), "\(result.errors)")
        }
    }

    @Test("A tunnel to nowhere is answered as a request to nowhere is")
    func refused() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let closed = try rig.closedPort()
            for (authority, status, error) in [
                ("\(closed)", 502, "connection_refused"),
                ("no-such-name.invalid:443", 502, "dns_error"),
                ("169.254.169.254:80", 403, "destination_ip_prohibited"),
                ("\(proxy.address)", 403, "destination_ip_prohibited"),
            ] {
                let response = try await proxy.exchange("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                #expect(response.status == status, "\(authority)")
                #expect(
                    response["proxy-status"]?.contains("error=\(error)") == true, "\(authority): \(response.fields)")
            }
        }
    }
}

import EventLoop
import Foundation
import Testing

@testable import Emulator

@Suite(.timeLimit(.minutes(2)))
struct EmulatorServerTests {
    @Test("curl gets through over HTTP and over verified HTTPS with a token of the issuer, and not without")
    func curl() async throws {
        try await Rig.with { rig in
            let token = try await rig.token()
            for base in [
                "http://\(rig.addresses.http)", "https://\(rig.addresses.https)", "https://shop.test",
                "https://localhost",
            ] {
                let connect = [
                    "--connect-to", "shop.test:443:\(rig.addresses.https)", "--connect-to",
                    "localhost:443:\(rig.addresses.https)",
                ]
                let command =
                    ["curl", "-sS", "--cacert", "ca.pem", "-o", "body", "-w", "%{http_code}"] + connect + [
                        "\(base)/protected/get"
                    ]
                let bare = try await rig.run(command)
                #expect(bare.output.text == "202", "\(bare.errors)")
                let good = try await rig.run(command + ["-b", "aws-waf-token=\(token)"])
                #expect(good.output.text == "200", "\(good.errors)")
                let header = try await rig.run(command + ["-H", "x-aws-waf-token: \(token)"])
                #expect(header.output.text == "200", "\(header.errors)")
            }
            let seen = try await rig.records()
            #expect(
                seen.map { $0["verdict"] }
                    == Array(repeating: ["challenge", "accepted", "accepted"], count: 4).flatMap { $0 })
            #expect(seen.map { $0["scheme"] } == ["http", "http", "http"] + Array(repeating: "https", count: 9))
            #expect(seen.last?["host"] == "localhost")
        }
    }

    @Test("Without the authority, or under a name that is not in the certificate, curl refuses")
    func distrust() async throws {
        try await Rig.with { rig in
            let unknown = try await rig.run(["curl", "-sS", "https://\(rig.addresses.https)/get"])
            #expect(unknown.status == 60, "\(unknown.errors)")
            let name = try await rig.run([
                "curl", "-sS", "--cacert", "ca.pem", "--connect-to", "other.test:443:\(rig.addresses.https)",
                "https://other.test/get",
            ])
            #expect(name.status == 60, "\(name.errors)")
            #expect(try String(contentsOfFile: rig.folder + "/ca.pem", encoding: .utf8) == rig.addresses.caPEM)
        }
    }

    @Test("openssl: TLS 1.2 and 1.3, ALPN, and a session that is resumed from its ticket")
    func openssl() async throws {
        try await Rig.with { rig in
            for version in ["-tls1_2", "-tls1_3"] {
                let command = [
                    "openssl", "s_client", "-connect", "\(rig.addresses.https)", "-servername", "shop.test", "-CAfile",
                    "ca.pem",
                    "-verify_return_error", "-alpn", "h2,http/1.1", version,
                ]
                let script =
                    "printf 'GET /get HTTP/1.1\\r\\nHost: shop.test\\r\\nConnection: close\\r\\n\\r\\n' | \"$@\" -ign_eof"
                let first = try await rig.run(["sh", "-c", script, "sh"] + command + ["-sess_out", "session"])
                #expect(first.output.text.contains("HTTP/1.1 200 OK"), "\(first.errors)")
                #expect(first.output.text.contains("ALPN protocol: http/1.1"))
                #expect(first.output.text.contains("New, TLSv1."))
                let second = try await rig.run(["sh", "-c", script, "sh"] + command + ["-sess_in", "session"])
                #expect(second.output.text.contains("Reused, TLSv1."), "\(second.output.text)")
                #expect(second.output.text.contains("HTTP/1.1 200 OK"))
            }
        }
    }

    @Test("Python accepts the certificate with every strict check")
    func pythonStrict() async throws {
        try await Rig.with { rig in
            let script = """
                import socket, ssl, sys
                context = ssl.create_default_context(cafile="ca.pem")
                context.verify_flags |= ssl.VERIFY_X509_STRICT
                host, port = sys.argv[1].rsplit(":", 1)
                for name in ["shop.test", "www.shop.test", "127.0.0.1"]:
                    with context.wrap_socket(socket.create_connection((host, int(port))), server_hostname=name) as tls:
                        tls.sendall(b"GET /status/204 HTTP/1.1\\r\\nHost: shop.test\\r\\nConnection: close\\r\\n\\r\\n")
                        answer = b"".join(iter(lambda: tls.recv(4096), b""))
                        assert answer.startswith(b"HTTP/1.1 204"), answer
                """
            let result = try await rig.run(["python3", "-c", script, "\(rig.addresses.https)"])
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test("1,000 requests at the same time: each is answered and recorded once")
    func concurrency() async throws {
        try await Rig.with { rig in
            let token = try await rig.token()
            // All connections stand before the first request goes out.
            let statuses = try await onThread { () -> [Int] in
                var statuses: [Int] = []
                let connections = try (0..<1000).map { _ in try RawConnection(rig.addresses.http) }
                for (number, connection) in connections.enumerated() {
                    let cookie = number % 2 == 0 ? "Cookie: aws-waf-token=\(token)\r\n" : ""
                    try connection.send(
                        "POST /protected/upload?n=\(number) HTTP/1.1\r\nHost: shop.test\r\n\(cookie)Content-Length: 3\r\n\r\nabc"
                    )
                }
                for connection in connections { statuses.append(try connection.answer().status) }
                return statuses
            }
            #expect(statuses == (0..<1000).map { $0 % 2 == 0 ? 200 : 202 })
            let seen = try await rig.records()
            #expect(Set(seen.compactMap { $0["target"]?.string }).count == 1000)
            #expect(seen.count == 1000)
            for record in seen {
                let number = Int(record["target"]?.string?.split(separator: "=").last ?? "") ?? -1
                let isAccepted = number % 2 == 0
                #expect(record["verdict"] == (isAccepted ? "accepted" : "challenge"))
                #expect(record["status"] == (isAccepted ? 200 : 202))
                #expect(record["bodySize"] == (isAccepted ? 3 : .null))
            }
        }
    }

    @Test("Stopping ends every connection, whatever it waits for, and gives the addresses back")
    func stopping() async throws {
        var address: SocketAddress?
        try await Rig.with { rig in
            address = rig.addresses.http
            try await rig.control("PUT", "/v1/issuer", #"{"mode":"hang"}"#)
            let held = try await onThread { () -> [RawConnection] in
                let requests = [
                    (rig.addresses.http, "GET /delay/60000 HTTP/1.1\r\nHost: a\r\n\r\n"),
                    (rig.addresses.http, "GET /sse HTTP/1.1\r\nHost: a\r\n\r\n"),
                    (rig.addresses.http, "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"),
                    (rig.addresses.http, "GET /ge"),
                    (rig.addresses.issuer, "POST /token HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"),
                    (rig.addresses.https, "\u{16}\u{3}\u{1}"),
                    (rig.addresses.http, "GET /bytes/1000000000 HTTP/1.1\r\nHost: a\r\n\r\n"), (rig.addresses.http, ""),
                ]
                return try requests.map { address, text in
                    let connection = try RawConnection(address)
                    try connection.send(text)
                    return connection
                }
            }
            // The record shows that the last request has arrived; the others came before it.
            while try await rig.records().count < 4 {}
            await rig.server.stop()
            _ = held
        }
        let again = EmulatorServer(
            options: {
                var options = EmulatorOptions()
                if let address { options.http = address }
                return options
            }())
        #expect(try await again.start().http == address)
        await again.stop()
        await again.stop()
    }

    @Test("An address in use, an impossible certificate name or CA file is an error that says so")
    func failures() async throws {
        try await Rig.with { rig in
            var options = EmulatorOptions()
            options.issuer = rig.addresses.control
            let taken = await failure(options)
            #expect(taken.contains("(issuer)") && taken.contains("address already in use"), "\(taken)")
            options = EmulatorOptions()
            options.certificateNames = ["not a name"]
            #expect(await failure(options).contains("not a DNS name"))
            options = EmulatorOptions()
            options.caFile = rig.folder + "/none/ca.pem"
            #expect(await failure(options).contains("none/ca.pem: open"))
            let twice = await #expect(throws: EmulatorError.self) { try await rig.server.start() }
            #expect(twice?.description == "emulator: it can be started once")
        }
    }

    /// What an emulator says that cannot be started.
    private func failure(_ options: EmulatorOptions) async -> String {
        let error = await #expect(throws: EmulatorError.self) { try await EmulatorServer(options: options).start() }
        return error?.description ?? ""
    }
}

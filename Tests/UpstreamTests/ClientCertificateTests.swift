import HTTP
import Testing
import Upstream

/// A client certificate goes to its hosts alone, and connections never serve two of them. nginx is the origin; it
/// answers with the subject of the certificate that it was shown.
@Suite(.timeLimit(.minutes(1)))
struct ClientCertificateTests {
    private static let configuration = """
        daemon off; error_log stderr; pid nginx.pid;
        events {}
        http {
            access_log off;
            client_body_temp_path .; proxy_temp_path .; fastcgi_temp_path .; uwsgi_temp_path .; scgi_temp_path .;
            server {
                listen 127.0.0.1:PORT ssl;
                ssl_certificate leaf.pem; ssl_certificate_key leaf.key; ssl_protocols PROTOCOL;
                ssl_client_certificate root.pem; ssl_verify_client VERIFY; ssl_verify_depth 2;
                location / { default_type text/plain; return 200 "$ssl_client_s_dn connection=$connection"; }
            }
        }

        """

    /// An origin, and the certificates of two clients; `second` is signed by an intermediate that it brings along.
    private struct Setting {
        let issuer: Issuer
        let port = freePort()
        let nginx: Program

        init(verify: String = "optional", version: String = "TLSv1.3") throws {
            issuer = try Issuer()
            _ = try issuer.leaf("DNS:localhost,IP:127.0.0.1")
            _ = try issuer.leaf("DNS:first", name: "first", subject: "/CN=first")
            _ = try issuer.leaf("DNS:second", by: "middle", name: "second", subject: "/CN=second")
            try issuer.join("second.pem", "middle.pem", as: "second-chain.pem")
            var text = ClientCertificateTests.configuration
            for (word, value) in [("PORT", "\(port)"), ("VERIFY", verify), ("PROTOCOL", version)] {
                text = text.replacing(word, with: value)
            }
            issuer.write("nginx.conf", text)
            nginx = try Program(["nginx", "-p", issuer.path, "-c", "nginx.conf"], in: issuer.path)
            #expect(waitForPort(port))
        }

        func certificate(_ name: String, _ key: String) -> ClientCertificate {
            ClientCertificate(certificateFile: "\(issuer.path)/\(name)", keyFile: "\(issuer.path)/\(key)")
        }

        /// What the origin says to a request with each of `certificates`, one after the other through one client.
        func ask(_ certificates: [String: ClientCertificate], hosts: [String]) async throws -> [String] {
            let (port, ca) = (port, issuer.root)
            return try await withClient {
                $0.caFile = ca
                $0.clientCertificate = { certificates[$0.host] }
            } _: { client in
                var answers: [String] = []
                for host in hosts {
                    let answer = await client.perform(request(port: port, host: host, scheme: .https))
                    answers.append(answer.error.map { "\($0)" } ?? answer.text)
                }
                return answers
            }
        }
    }

    @Test func `a certificate is shown to its host alone, with its chain`() async throws {
        let setting = try Setting()
        let second = setting.certificate("second-chain.pem", "second.key")
        let answers = try await setting.ask(["localhost": second], hosts: ["localhost", "127.0.0.1", "localhost"])
        #expect(answers[0].hasPrefix("CN=second connection="))
        #expect(answers[1].hasPrefix(" connection="))
        #expect(answers[2] == answers[0], "the connection is used again")
    }

    @Test(arguments: ["TLSv1.2", "TLSv1.3"])
    func `neither a pooled connection nor a resumed session carries a certificate elsewhere`(version: String)
        async throws
    {
        let setting = try Setting(version: version)
        let (port, ca) = (setting.port, setting.issuer.root)
        let first = setting.certificate("first.pem", "first.key")
        let second = setting.certificate("second-chain.pem", "second.key")
        // One host whose certificate changes from request to request: the hardest case for the pool.
        let turn = Turn([first, nil, second, first, nil, second])
        let texts = try await withClient {
            $0.caFile = ca
            $0.clientCertificate = { $0.host == "localhost" ? turn.next() : nil }
        } _: { client in
            var texts: [String] = []
            for _ in 0..<6 {
                texts.append(await client.perform(request(port: port, host: "localhost", scheme: .https)).text)
                // Another origin in between, so that the handle asks for the certificate again.
                _ = await client.perform(request(port: port, host: "127.0.0.1", scheme: .https))
            }
            return texts
        }
        let subjects = texts.map { $0.prefix { $0 != " " } }
        #expect(subjects == ["CN=first", "", "CN=second", "CN=first", "", "CN=second"], "\(texts)")
    }

    @Test(arguments: ["TLSv1.2", "TLSv1.3"])
    func `an origin that insists on a certificate answers only who shows one`(version: String) async throws {
        let setting = try Setting(verify: "on", version: version)
        let first = setting.certificate("first.pem", "first.key")
        let answers = try await setting.ask(["localhost": first], hosts: ["localhost", "127.0.0.1"])
        #expect(answers[0].hasPrefix("CN=first "))
        #expect(answers[1].contains("No required SSL certificate was sent"))
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `an origin that ends the handshake without a certificate is told as wanting one`(version: String) async throws
    {
        let issuer = try Issuer()
        let files = try issuer.leaf("IP:127.0.0.1")
        let port = freePort()
        let program = try Program(
            [
                "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-quiet", "-cert", files.certificate,
                "-key", files.key, "-Verify", "2", "-verify_return_error", "-CAfile", "root.pem", version,
            ], in: issuer.path)
        defer { program.kill() }
        #expect(waitForPort(port))
        let answer = try await withClient({ $0.caFile = issuer.root }) {
            await $0.perform(request(port: port, scheme: .https))
        }
        #expect(answer.error?.code == .tls, "\(answer)")
        if version == "-tls1_3" {
            #expect(
                answer.error?.detail == "The origin wants a client certificate (upstream.clientCertificates).")
        }
    }
}

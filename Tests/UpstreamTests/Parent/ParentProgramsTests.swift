import EventLoop
import HTTP
import Telemetry
import Testing
import Upstream

/// Real parents: squid over TCP and over TLS, tinyproxy, microsocks. Each wants `rig:s3cret`.
@Suite(.timeLimit(.minutes(2)))
struct ParentProgramsTests {
    enum Kind: CaseIterable, Sendable { case squid, squidOverTLS, tinyproxy, microsocks }

    /// A running parent with the certificates that it, or an origin, shows.
    private struct Running {
        let certificates: TestCertificates
        let program: Program
        let port = freePort()
        let kind: ParentProxy.Kind

        init(_ kind: Kind) throws {
            let directory = Scratch()
            certificates = try TestCertificates(in: directory)
            let arguments: [String]
            switch kind {
            case .squid, .squidOverTLS:
                // Root's squid gives its rights up, and has to read these all the same.
                try Program.run(["chmod", "-R", "a+rX", "."], in: directory.path)
                try Program.run(
                    ["sh", "-c", "printf 'rig:%s\\n' \"$(openssl passwd -apr1 s3cret)\" >users"], in: directory.path)
                let tls = kind == .squidOverTLS
                let file = directory.write(
                    "squid.conf",
                    """
                    \(tls ? "https_port" : "http_port") 127.0.0.1:\(port) \
                    \(tls ? "tls-cert=\(directory.path)/leaf.pem tls-key=\(directory.path)/leaf.key" : "")
                    visible_hostname parent.test
                    pid_filename none
                    access_log none
                    cache_log /dev/null
                    cache deny all
                    shutdown_lifetime 0 seconds
                    auth_param basic program /usr/lib/squid/basic_ncsa_auth \(directory.path)/users
                    auth_param basic children 1
                    acl users proxy_auth REQUIRED
                    acl blocked dstdomain blocked.test
                    http_access deny blocked
                    http_access allow users
                    http_access deny all

                    """)
                arguments = ["squid", "-N", "-n", "parent\(port)", "-f", file]
            case .tinyproxy:
                let file = directory.write(
                    "tinyproxy.conf", "Port \(port)\nListen 127.0.0.1\nTimeout 60\nBasicAuth rig s3cret\n")
                arguments = ["tinyproxy", "-d", "-c", file]
            case .microsocks:
                arguments = ["microsocks", "-i", "127.0.0.1", "-p", "\(port)", "-u", "rig", "-P", "s3cret"]
            }
            self.kind =
                switch kind {
                case .squid, .tinyproxy: .http
                case .squidOverTLS: .https
                case .microsocks: .socks5
                }
            program = try Program(arguments, in: directory.path)
            #expect(waitForPort(port))
        }

        func with(_ pair: String? = "rig:s3cret") -> ParentProxy { parent(kind, port: port, pair) }
    }

    @Test(arguments: Kind.allCases)
    func `plain requests go through it on one connection`(kind: Kind) async throws {
        let running = try Running(kind)
        let origin = RawServer { connection in
            while connection.readHead() != nil { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi") }
        }
        defer { origin.stop() }
        let ca = running.certificates.ca
        let texts = try await withClient {
            $0.caFile = ca
            $0.use(running.with())
        } _: { client in
            var texts: [String] = []
            for path in ["/a?b", "/c"] {
                let answer = await client.perform(request(port: origin.port, host: "localhost", target: path))
                texts.append(answer.error.map { "\($0)" } ?? answer.text)
            }
            return texts
        }
        #expect(texts == ["hi", "hi"])
        #expect(origin.received().hasPrefix("GET /a?b HTTP/1.1\r\n"))
        #expect(!origin.received().contains("s3cr"))
        #expect(!origin.received().contains("Proxy-Authorization"))
    }

    @Test(arguments: Kind.allCases)
    func `https requests go through it with the origin's own certificate`(kind: Kind) async throws {
        let running = try Running(kind)
        let port = freePort()
        let origin = try Program(
            [
                "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-quiet", "-cert", "leaf.pem", "-key",
                "leaf.key",
            ], in: running.certificates.directory.path)
        defer { origin.kill() }
        #expect(waitForPort(port))
        let ca = running.certificates.ca
        let answer = try await withClient {
            $0.caFile = ca
            $0.use(running.with())
        } _: {
            await $0.perform(request(port: port, host: "localhost", scheme: .https))
        }
        #expect(answer.status == 200, "\(answer)")
        #expect(answer.text.contains("Ciphers"))
    }

    @Test(arguments: Kind.allCases)
    func `a tunnel through it keeps first bytes`(kind: Kind) async throws {
        let running = try Running(kind)
        let origin = echoServer(greeting: "hello|")
        defer { origin.stop() }
        let ca = running.certificates.ca
        let text = try await withClient({ $0.caFile = ca }) { client in
            try await talk(
                through: running.with(), to: Authority(host: "localhost", port: origin.port), sending: "ping",
                on: client)
        }
        // All of them end both sides when one of them ends.
        #expect(text.hasPrefix("hello|ping"))
    }

    @Test(arguments: Kind.allCases, [nil, "rig:wrong"])
    func `without the right credentials it is told so, and the credentials are not`(
        kind: Kind, pair: String?
    ) async throws {
        let running = try Running(kind)
        let ca = running.certificates.ca
        let errors = try await withClient {
            $0.caFile = ca
            $0.use(running.with(pair))
        } _: { client in
            var errors: [UpstreamError?] = []
            for scheme in [Scheme.http, .https] {
                errors.append(await client.perform(request(port: 9, host: "localhost", scheme: scheme)).error)
            }
            do throws(UpstreamError) {
                let limit = DialLimit(loop: client.loop, limit: .seconds(60))
                _ = try await client.openTunnel(
                    to: Authority(host: "localhost", port: 9), through: running.with(pair), via: [], within: limit)
            } catch {
                errors.append(error)
            }
            return errors
        }
        // tinyproxy answers wrong credentials with a 401, which to a request could be the origin's.
        let isTold = kind != .tinyproxy || pair == nil
        #expect(errors.map { $0?.code } == [isTold ? .parentDenied : nil, .parentDenied, .parentDenied])
        for error in errors where error != nil {
            let detail = error?.detail ?? ""
            #expect(detail.contains(pair == nil ? "wants credentials" : "does not accept our credentials"))
            #expect(!detail.contains("wrong"))
        }
    }

    @Test(arguments: Kind.allCases)
    func `an origin that it cannot reach is told as its refusal`(kind: Kind) async throws {
        let running = try Running(kind)
        let (ca, closed) = (running.certificates.ca, freePort())
        let error = try await withClient {
            $0.caFile = ca
            $0.use(running.with())
        } _: {
            await $0.perform(request(port: closed, host: "localhost", scheme: .https)).error
        }
        #expect(error?.code == .parentRefused)
        #expect(error?.detail.hasPrefix("The parent proxy \(running.with()) refused: ") == true, "\(error as Any)")
    }

    @Test func `a host that its rules forbid is told with its status`() async throws {
        let running = try Running(.squid)
        let error = try await withClient({ $0.use(running.with()) }) {
            await $0.perform(request(port: 443, host: "blocked.test", scheme: .https)).error
        }
        #expect(error?.code == .parentRefused)
        #expect(error?.detail.hasSuffix("refused: status 403.") == true)
    }

    @Test func `an https parent whose certificate is not trusted gets nothing`() async throws {
        let running = try Running(.squidOverTLS)
        let errors = try await withClient({ $0.use(running.with()) }) { client in
            let first = await client.perform(request(port: 9, host: "localhost")).error
            do throws(UpstreamError) {
                let limit = DialLimit(loop: client.loop, limit: .seconds(60))
                _ = try await client.openTunnel(
                    to: Authority(host: "localhost", port: 9), through: running.with(), via: [], within: limit)
                return [first]
            } catch { return [first, error] }
        }
        #expect(errors.map { $0?.code } == [.certificate, .certificate])
        for error in errors {
            #expect(error?.detail.hasPrefix("Parent proxy: The issuer CN=test-ca is not trusted") == true)
        }
    }
}

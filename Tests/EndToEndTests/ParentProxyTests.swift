import Foundation
import Testing

/// The proxy behind parents: squid, and another instance of itself.
@Suite(.timeLimit(.minutes(10)))
struct ParentProxyTests {
    /// A squid that wants `rig:s3cr3t-pass`; its URL with these credentials.
    private func squid(_ rig: Rig) async throws -> (process: LaunchedProcess, url: String) {
        let address = try rig.closedPort()
        let port = address.port
        rig.keepSecret("s3cr3t-pass")
        rig.keepSecret("cmlnOnMzY3IzdC1wYXNz")
        let users = try await rig.run("openssl", ["passwd", "-apr1", "s3cr3t-pass"])
        try rig.write("rig:" + String(decoding: users.output, as: UTF8.self), to: "users")
        // Root's squid gives its rights up, and has to read these all the same.
        for (path, mode) in [(rig.folder, 0o755), (rig.folder + "/users", 0o644)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        let file = try rig.write(
            """
            http_port 127.0.0.1:\(port)
            visible_hostname parent.test
            pid_filename none
            access_log none
            cache_log /dev/null
            cache deny all
            shutdown_lifetime 0 seconds
            auth_param basic program /usr/lib/squid/basic_ncsa_auth \(rig.folder)/users
            auth_param basic children 1
            acl users proxy_auth REQUIRED
            http_access allow users
            http_access deny all

            """, to: "squid.conf")
        let process = try rig.launch("squid", "squid", ["-N", "-n", "wtp\(port)", "-f", file])
        try await eventually("squid does not listen") {
            (try? RawConnection(to: address)).map { _ in }
        }
        return (process, "http://rig:s3cr3t-pass@127.0.0.1:\(port)")
    }

    /// What comes back of `text` through a tunnel whose client ends its side behind it, from an origin that waits for that.
    private func echo(_ text: String, through proxy: RunningProxy, to target: Address) async throws -> String {
        let back = try await onThread {
            let connection = try RawConnection(to: proxy.address)
            try connection.send("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n\(text)")
            let opening = connection.receive { $0.suffix(4) == Data("\r\n\r\n".utf8) }.data
            connection.finishSending()
            return opening + connection.receive().data
        }
        return String(decoding: back, as: UTF8.self)
    }

    @Test func `requests with a token, tunnels and token fetches go through squid`() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let parent = try await squid(rig)
            let proxy = try await rig.proxy(
                for: emulator, more: ["upstream": ["parentProxy": .string(parent.url)], "explain": true])
            let plain = try await proxy.get("http://shop.test/get?a")
            #expect(plain.status == 200, "\(plain.fields)")
            #expect(plain["x-waf-token-proxy"] == "token=attached; replay=0")
            let secure = try await proxy.get("https://shop.test/get?b")
            #expect(secure.status == 200, "\(secure.fields)")
            try await emulator.setRules([("/", "allow")])
            // Inside CONNECT the listed host is read, by the proxy's own certificate.
            let inside = try await rig.run(
                "curl", ["-sS", "--fail", "--insecure", "https://shop.test/get"], environment: proxy.environment)
            #expect(inside.status == .exited(0), "\(inside.errors)")
            // Elsewhere it is a blind tunnel: the certificate is the endpoint's own.
            let blind = try await rig.run(
                "curl",
                [
                    "-sS", "--fail", "--cacert", emulator.caFile, "https://\(emulator.https)/get",
                ], environment: proxy.environment)
            #expect(blind.status == .exited(0), "\(blind.errors)")
            #expect(try await emulator.issuerCalls() >= 1)
            // With the parent gone nothing takes another way.
            await parent.process.stop()
            for request in [
                "GET http://shop.test/c HTTP/1.1\r\nHost: shop.test\r\n\r\n",
                "CONNECT open.test:443 HTTP/1.1\r\nHost: open.test\r\n\r\n",
            ] {
                let answer = try await proxy.exchange(request)
                #expect(answer.status == 502)
                #expect(answer["proxy-status"]?.contains("cannot be reached") == true, "\(answer.fields)")
            }
        }
    }

    @Test func `a parent that refuses our credentials is told with its status, and they are not`() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let parent = try await squid(rig)
            let url = parent.url.replacing("s3cr3t-pass", with: "wr0ng-pass")
            rig.keepSecret("wr0ng-pass")
            let proxy = try await rig.proxy(
                source: try rig.staticSource("t-9f2c"), resolve: ["shop.test:443": emulator.https],
                more: ["upstream": ["parentProxy": .string(url)]])
            for request in [
                "GET http://open.test/ HTTP/1.1\r\nHost: open.test\r\n\r\n",
                "GET https://shop.test/ HTTP/1.1\r\nHost: shop.test\r\n\r\n",
                "CONNECT open.test:443 HTTP/1.1\r\nHost: open.test\r\n\r\n",
            ] {
                let answer = try await proxy.exchange(request)
                #expect(answer.status == 502)
                let status = answer["proxy-status"] ?? ""
                #expect(status.hasPrefix("waf-token-proxy; error=proxy_configuration_error;"), "\(status)")
                #expect(status.contains("does not accept our credentials: status 407."), "\(status)")
                #expect(!status.contains("wr0ng"))
            }
        }
    }

    @Test func `another instance is a parent like any other`() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let outer = try await rig.proxy(
                source: try rig.staticSource("t-outer"),
                resolve: [
                    "shop.test:80": emulator.http, "shop.test:443": emulator.https, "issuer.test:80": emulator.issuer,
                ], provider: ["hosts": ["nobody.test"]])
            let source: JSON = [
                "type": "http", "url": "http://issuer.test/token", "tokenPointer": "/token",
                "expiresInPointer": "/expiresIn",
            ]
            let inner = try await rig.proxy(
                source: source, provider: ["allowPlainHTTP": true],
                more: [
                    "upstream": ["parentProxy": .string("http://\(outer.address)"), "caFile": .string(emulator.caFile)]
                ])
            #expect(try await inner.get("http://shop.test/get?a").status == 200)
            #expect(try await inner.get("https://shop.test/get?b").status == 200)
            let requests = try await emulator.requests(verdict: "accepted")
            #expect(requests.count == 2)
            // Each side may end before the other.
            #expect(try await echo("ping", through: inner, to: try await rig.oddOrigin().tcp).hasSuffix("\r\n\r\nping"))
        }
    }

    @Test func `two instances that are each other's parent answer 508 instead of going round`() async throws {
        try await Rig.with { rig in
            let port = try rig.closedPort().port
            let first = try await rig.proxy(
                source: try rig.staticSource("t-1"), more: ["upstream": ["parentProxy": "http://127.0.0.1:\(port)"]])
            let second = try await rig.proxy(
                source: try rig.staticSource("t-2"),
                more: [
                    "listen": ["127.0.0.1:\(port)"], "upstream": ["parentProxy": .string("http://\(first.address)")],
                ])
            #expect(try await second.get("http://open.test/").status == 508)
            for request in [
                "CONNECT open.test:443 HTTP/1.1\r\nHost: open.test:443\r\n\r\n",
                "GET https://open.test/ HTTP/1.1\r\nHost: open.test\r\n\r\n",
            ] {
                let answer = try await first.exchange(request)
                #expect(answer.status == 502)
                #expect(answer["proxy-status"]?.contains("status 50") == true, "\(answer.fields)")
            }
        }
    }

    @Test func `a proxy that is to be its own parent does not start`() async throws {
        try await Rig.with { rig in
            let port = try rig.closedPort().port
            for host in ["127.0.0.1", "localhost"] {
                let process = try rig.launchBinary(
                    "proxy",
                    [
                        "run", "--listen", "127.0.0.1:\(port)", "--admin-listen", "none", "--parent-proxy",
                        "http://\(host):\(port)",
                    ])
                #expect(try await process.exit() == .exited(2))
                #expect(process.errors.text.hasSuffix("http://\(host):\(port) is this proxy itself\n"))
                #expect(process.errors.text.split(separator: "\n").count == 1)
            }
        }
    }

    @Test func `rules for destinations hold behind a parent, by name and by address`() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(
                source: try rig.staticSource("t-3"),
                more: [
                    "upstream": ["parentProxy": "http://127.0.0.1:9"],
                    "access": ["denyDestinations": ["denied.test", "10.0.0.0/8"]],
                ])
            let authorities = [
                "169.254.169.254:80", "2852039166:80", "0xa9fea9fe:80", "metadata.google.internal:80", "denied.test:80",
                "10.1.2.3:80", "\(proxy.address)", "localhost:\(proxy.address.port)",
            ]
            for authority in authorities {
                for request in ["GET http://\(authority)/", "CONNECT \(authority)"] {
                    let answer = try await proxy.exchange("\(request) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                    #expect(answer.status == 403, "\(request): \(answer.fields)")
                }
            }
            #expect(try await proxy.get("http://\(odd.http)/").status == 502, "the parent is not there")
        }
    }

    @Test func `the clear-text rule holds behind a parent, which hides the address`() async throws {
        try await Rig.with { rig in
            let proxy = try await rig.proxy(
                source: try rig.staticSource("t-4"), more: ["upstream": ["parentProxy": "http://127.0.0.1:9"]])
            let answer = try await proxy.get("http://shop.test/")
            #expect(answer.status == 403)
            #expect(answer["proxy-status"]?.contains("clear_text_refused") == true)
        }
    }
}

import Foundation
import Testing

/// What must not be printed. (Every other test searches the outputs of its processes for tokens as well, see `Rig`.)
@Suite(.timeLimit(.minutes(10)))
struct SecretsTests {
    @Test("No token, cookie, credential or query stands in any output, not even at level trace")
    func outputs() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: emulator, odd: odd, more: ["log": ["level": "trace"]])
            for secret in ["cookie-secret-1", "bearer-secret-2", "query-secret-3", "body-secret-4", "client-token-5"] {
                rig.keepSecret(secret)
            }
            let fields =
                "Cookie: session=cookie-secret-1; aws-waf-token=client-token-5\r\nAuthorization: Bearer bearer-secret-2\r\n"
            // Through the origin's echo the test learns the token that was attached.
            let echo = try await proxy.get("http://shop.test:81/head?key=query-secret-3", fields: fields)
            let cookie = try #require(echo.text.components(separatedBy: "\r\n").first { $0.hasPrefix("Cookie:") })
            let token = cookie.dropFirst("Cookie: aws-waf-token=".count).prefix { $0 != ";" }
            #expect(token.count > 50)
            rig.keepSecret(String(token))

            #expect(try await proxy.get("http://shop.test/get", fields: fields).status == 200)
            try await emulator.advanceClock(301)
            let body = "body-secret-4"
            let post = try await proxy.exchange(
                "POST http://shop.test/post?key=query-secret-3 HTTP/1.1\r\nHost: shop.test\r\n\(fields)"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            #expect(post.status == 200)
            for path in ["/close", "/bare-cr", "/short-length", "/nonsense"] {
                _ = try? await proxy.get("http://shop.test:81\(path)?key=query-secret-3", fields: fields)
            }
            _ = try await eventually("not every request was logged") { proxy.accessLog.count >= 7 ? true : nil }
        }
    }

    /// A proxy with a user of its own and a parent that is not there, which bodies are kept by; the request fields of a
    /// client that has every kind of secret.
    private func guarded(
        _ rig: Rig, _ emulator: Emulator, _ odd: OddOrigin, log: String
    ) async throws -> (proxy: RunningProxy, fields: String) {
        let made = try await rig.run("/usr/bin/openssl", ["passwd", "-6", "proxy-secret-1"])
        let hash = String(decoding: made.output, as: UTF8.self).trimmingCharacters(in: .newlines)
        let credentials = Data("ann:proxy-secret-1".utf8).base64EncodedString()
        for secret in [
            "proxy-secret-1", hash, credentials, "parent-secret-2",
            Data("bob:parent-secret-2".utf8).base64EncodedString(),
            "bearer-secret-3", "cookie-secret-4", "client-token-5", "query-secret-6", "basic-secret-7",
        ] { rig.keepSecret(secret) }
        let users = try rig.write("ann:\(hash)\n", to: "users")
        let proxy = try await rig.proxy(
            for: emulator, odd: odd,
            more: [
                "log": ["format": .string(log), "level": "trace"], "flows": ["bodyBytes": 65536], "explain": true,
                "access": ["proxyUsersFile": .string(users)],
                "upstream": [
                    "parentProxy": "http://bob:parent-secret-2@127.0.0.1:9",
                    "noParentFor": ["shop.test", "open.test", "127.0.0.0/8"],
                ],
            ])
        let fields =
            "Proxy-Authorization: Basic \(credentials)\r\nAuthorization: Bearer bearer-secret-3\r\n"
            + "Cookie: session=cookie-secret-4; aws-waf-token=client-token-5\r\n"
        return (proxy, fields)
    }

    @Test(
        "No answer of the proxy's own holds a secret: errors, metrics, status, explanations, flows, archive, page",
        arguments: ["json", "text"])
    func answers(log: String) async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let odd = try await rig.oddOrigin()
            // Lines in text say no port to the rig: so the format is changed once it runs.
            let (proxy, fields) = try await guarded(rig, emulator, odd, log: "json")
            let desk = try await AdminDesk(rig, proxy)
            #expect(try await desk.command(["ready", "--wait", "10"]).status == .exited(0))
            if log == "text" {
                let file = "\(rig.folder)/\(try #require(settingsFile(rig)))"
                let settings = try String(contentsOfFile: file, encoding: .utf8)
                try Data(settings.replacingOccurrences(of: "\"json\"", with: "\"text\"").utf8)
                    .write(to: URL(filePath: file))
                #expect(try await desk.post("/v1/reload").status == 200)
            }
            // Through the origin's echo the test learns the token, and the archive gets bodies that hold secrets.
            let query = "?key=query-secret-6"
            let echo = try await proxy.get("http://shop.test:81/head\(query)", fields: fields)
            let found = try #require(echo.text.firstMatch(of: /aws-waf-token=([^;\r\n]+)/))
            let token = String(found.1)
            #expect(token.count > 50)
            rig.keepSecret(token)
            #expect(try await proxy.get("http://shop.test/get\(query)", fields: fields).status == 200)
            // This body may be shown.
            #expect(try await proxy.get("http://shop.test:81/plain", fields: fields).status == 200)
            try await emulator.advanceClock(301)
            #expect(try await proxy.get("http://shop.test/protected/get\(query)", fields: fields).status == 200)

            var answers: [(name: String, text: String)] = []
            func note(_ name: String, _ answer: RawResponse) {
                let fields = answer.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
                answers.append((name, "\(answer.statusLine)\n\(fields)\n\(answer.text)"))
            }
            for (url, status) in [
                ("http://169.254.169.254/\(query)", 403), ("http://elsewhere.test/\(query)", 502),
                ("http://shop.test:81/bare-cr\(query)", 502), ("http://shop.test:81/close\(query)", 502),
            ] {
                let answer = try await proxy.get(url, fields: fields)
                #expect(answer.status == status, "\(url)")
                note(url, answer)
            }
            note("407", try await proxy.get("http://shop.test/\(query)", fields: "Proxy-Authorization: Basic eA==\r\n"))
            note("400", try await proxy.get("http://shop.test/\(query)", fields: fields + "Bad : x\r\n"))
            let paths = [
                "/", "/page.js", "/metrics", "/livez", "/readyz", "/v1/status", "/v1/clients", "/v1/flows",
                "/v1/flows.har", "/v1/providers/shop/token", "/v1/explain?url=http://shop.test/get",
                "/v1/explain?url=http://elsewhere.test/", "/v1/nothing\(query)",
            ]
            for path in paths {
                let authorized = try desk.authorization()
                for fields in ["", authorized] { note(path, try await desk.read(path, fields)) }
            }
            note("local page", try await proxy.get("http://waf-token-proxy.local/", fields: fields))
            let archive = try #require(answers.last { $0.name == "/v1/flows.har" })
            #expect(archive.text.contains("[redacted]") && archive.text.contains("\"text\":"))
            let admin = try desk.authorization().dropFirst("Authorization: Bearer ".count).dropLast(2)
            for secret in rig.secretsSoFar.union([Rig.emulatedPrefix, String(admin)]) {
                for answer in answers where answer.text.contains(secret) {
                    Issue.record("\(answer.name) holds \(secret)")
                }
            }
        }
    }

    private func settingsFile(_ rig: Rig) -> String? {
        try? FileManager.default.contentsOfDirectory(atPath: rig.folder).first {
            $0.hasPrefix("proxy-") && $0.hasSuffix(".yaml")
        }
    }

    @Test("A token in a header that cannot be parsed does not come back in the answer or the log")
    func malformed() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            rig.keepSecret("client-token-6")
            let response = try await proxy.get("http://open.test/", fields: "Cookie : aws-waf-token=client-token-6\r\n")
            #expect(response.status == 400)
            #expect(!response.text.contains("client-token-6"))
        }
    }
}

import Foundation
import Testing

/// What the proxy tells of a request's way: before, by `check --url`, and after, by hints in the log.
@Suite(.timeLimit(.minutes(10)))
struct ExplanationTests {
    @Test(
        "check --url explains what would become of a request",
        arguments: [
            ("http://shop.test/web", ["provider  shop", "token     yes", "dialled   127.0.0.1:1", "attached"]),
            ("http://shop.test/other", ["token     no", "outside_cookie_path"]),
            ("https://shop.test/web", ["route     intercept", "token     yes", "attached"]),
            ("http://shop.test:81/web", ["token     no", "port_not_listed", "shop.test:81"]),
            ("http://open.test/", ["route     forward", "token     no", "host_not_listed"]),
            ("http://169.254.169.254/", ["route     refused", "destination_refused"]),
            ("http://127.0.0.1:8080/", ["route     refused", "destination_refused"]),
            ("http://public.test/", ["route     refused", "clear_text_refused"]),
        ])
    func checkURL(url: String, parts: [String]) async throws {
        try await Rig.with { rig in
            let configuration: JSON = [
                "providers": [
                    [
                        "name": "shop", "hosts": ["shop.test", "public.test"], "tokenCookiePath": "/web",
                        "source": ["type": "exec", "command": ["true"]],
                    ]
                ],
                "upstream": ["resolve": ["shop.test:80": "127.0.0.1:1", "public.test:80": "192.0.2.1:80"]],
            ]
            let file = try rig.write(configuration.text, to: "settings.yaml")
            let path = url.contains("public") ? url + "web" : url
            let result = try await rig.command(["check", "--config", file, "--url", path])
            #expect(result.status == .exited(0))
            for part in parts { #expect(result.output.contains(part), "\(part) in \(result.output)") }
        }
    }

    @Test("each surprise is one log line, once for a host, that says what to set")
    func hints() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(
                for: emulator, provider: ["hosts": ["shop.test"], "tokenCookiePath": "/protected"],
                more: [
                    "upstream": [
                        "resolve": [
                            "shop.test:81": .string("\(emulator.http)"), "open.test:80": .string("\(emulator.http)"),
                        ]
                    ]
                ])
            let preflight = "Origin: http://page.test\r\nAccess-Control-Request-Method: PUT\r\n"
            for _ in 0..<2 {
                _ = try await proxy.get("http://shop.test:81/protected/x")
                _ = try await proxy.get("http://shop.test/elsewhere")
                _ = try await proxy.get("http://open.test/protected/x")
                _ = try await proxy.get("http://\(emulator.http)/protected/x")
                _ = try await proxy.exchange(
                    "OPTIONS http://shop.test/protected/x HTTP/1.1\r\nHost: shop.test\r\n\(preflight)\r\n")
            }
            let expected = [
                ("shop.test", "hosts: add \"shop.test:81\""), ("open.test", "hosts: add \"open.test:80\""),
                (emulator.http.host, "let clients use shop.test:80"), ("shop.test", "attachToPreflight"),
                ("shop.test", "tokenCookiePath"),
            ]
            for (host, words) in expected {
                let lines = try await eventually("no line says \(words)") { () -> [JSON]? in
                    let lines = proxy.process.output.records.filter {
                        $0["host"].string == host && $0["set"].string?.contains(words) == true
                    }
                    return lines.isEmpty ? nil : lines
                }
                #expect(lines.count == 1, "\(lines)")
                #expect(lines.first?["level"].string == "warning")
            }
            #expect(proxy.process.output.records.count { $0["set"].string != nil } == expected.count)
        }
    }
}

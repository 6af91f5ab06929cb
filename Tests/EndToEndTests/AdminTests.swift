import Foundation
import Testing

/// The admin listener and the commands that ask it, with real processes.
@Suite(.timeLimit(.minutes(10)))
struct AdminTests {
    private func desk(_ rig: Rig, _ proxy: RunningProxy) async throws -> AdminDesk { try await AdminDesk(rig, proxy) }

    @Test("status, readiness and explanation are read without a token, secrets only with it")
    func reads() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let desk = try await desk(rig, try await rig.proxy(for: emulator))
            _ = try await eventually("never ready") { try await desk.get("/readyz").status == 200 ? true : nil }
            #expect(try await desk.get("/livez").status == 200)
            let ready = try await desk.get("/readyz").body
            #expect(
                ready["conditions"] == ["listener": true, "ca": true, "token": ["shop": true]])
            let status = try await desk.get("/v1/status").body
            #expect(status["listen"].elements == [.string("\(desk.proxy.address)")])
            let provider = try #require(status["providers"].elements.first)
            #expect(provider["state"].string == "fresh")
            #expect(provider["hosts"].elements == ["shop.test:*"])
            #expect(provider["token"]["fingerprint"].string?.count == 8)
            let explained = try await desk.get("/v1/explain?url=http://shop.test/get").body
            #expect(explained["token"].bool == true && explained["provider"].string == "shop")
            #expect(explained["dialled"].string == "\(emulator.http)")
            #expect(try await desk.get("/v1/providers/shop/token?reveal=1").status == 401)

            let written = try String(contentsOfFile: desk.tokenFile, encoding: .utf8)
            let attributes = try FileManager.default.attributesOfItem(atPath: desk.tokenFile)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let field = "Authorization: Bearer \(written.trimmingCharacters(in: .newlines))\r\n"
            let shown = try await desk.get("/v1/providers/shop/token?reveal=1", field)
            #expect(shown.status == 200)
            #expect(shown.body["value"].string?.hasPrefix(Rig.emulatedPrefix) == true)
        }
    }

    @Test("what a page under test could send to loopback is refused")
    func browsers() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let desk = try await desk(rig, try await rig.proxy(for: odd))
            let body = "{\"active\":false}"
            func post(_ fields: String) -> String {
                "POST /v1/activity HTTP/1.1\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            }
            #expect(try await desk.send(post("Host: HOST\r\nContent-Type: text/plain\r\n")).status == 401)
            #expect(try await desk.send(post("Host: HOST\r\nContent-Type: application/json\r\n")).status == 401)
            #expect(try await desk.send(post("Host: rebound.test\r\nContent-Type: application/json\r\n")).status == 421)
            #expect(try await desk.send("GET /v1/status HTTP/1.1\r\nHost: rebound.test\r\n\r\n").status == 421)
            let preflight = try await desk.send(
                "OPTIONS /v1/activity HTTP/1.1\r\nHost: HOST\r\nOrigin: http://page.test\r\n"
                    + "Access-Control-Request-Method: POST\r\n\r\n")
            #expect(preflight.status == 405 && preflight["access-control-allow-origin"] == nil)
        }
    }

    @Test(
        "a listener beyond loopback wants the token for all but the probes and the page, and lets any name through with it"
    )
    func beyondLoopback() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let desk = try await desk(rig, try await rig.proxy(for: odd, more: ["admin": ["listen": "0.0.0.0:0"]]))
            for path in ["/livez", "/"] { #expect(try await desk.read(path).status == 200) }
            _ = try await eventually("never ready") { try await desk.read("/readyz").status == 200 ? true : nil }
            let authorization = try desk.authorization()
            for path in [
                "/metrics", "/v1/status", "/v1/flows", "/v1/flows.har", "/v1/clients", "/ca.pem", "/trust/ca.pem",
            ] {
                #expect(try await desk.read(path).status == 401, "\(path)")
                #expect(try await desk.read(path, authorization).status == 200, "\(path)")
            }
            let named = "GET /v1/status HTTP/1.1\r\nHost: proxy:8081\r\n"
            #expect(try await desk.send(named + "\r\n").status == 421)
            #expect(try await desk.send(named + authorization + "\r\n").status == 200)
        }
    }

    @Test("the listener is not reached through the proxy, under no name")
    func throughProxy() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            // A free port is not known beforehand, so the name leads to a port that the test chooses.
            let probe = try await rig.proxy(for: odd)
            let port = try await probe.process.address("admin").port
            await probe.process.stop()
            let proxy = try await rig.proxy(
                for: odd,
                more: [
                    "admin": ["listen": "127.0.0.1:\(String(port))"],
                    "upstream": ["resolve": ["admin.test:80": "127.0.0.1:\(String(port))"]],
                ])
            for url in ["http://127.0.0.1:\(port)/livez", "http://localhost:\(port)/livez", "http://admin.test/livez"] {
                let answer = try await proxy.get(url)
                #expect(answer.status == 403, "\(url): \(answer.text)")
            }
            let tunnel = try await proxy.exchange(
                "CONNECT 127.0.0.1:\(port) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
            #expect(tunnel.status == 403)
        }
    }

    @Test("token shows, refreshes, hands over and expires; the token is printed only on demand")
    func tokenCommands() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let desk = try await desk(rig, try await rig.proxy(for: emulator))
            #expect(try await desk.command(["ready", "--wait", "10"]).status == .exited(0))
            let status = try await desk.command(["token", "status"])
            #expect(status.status == .exited(0) && status.output.hasPrefix("shop fresh token="), "\(status)")
            let calls = try await emulator.issuerCalls()
            #expect(try await desk.command(["token", "refresh"]).status == .exited(0))
            #expect(try await emulator.issuerCalls() == calls + 1)
            let shown = try await desk.command(["token", "get", "--reveal"])
            #expect(shown.output.hasPrefix(Rig.emulatedPrefix))
            #expect(try await desk.command(["token", "get"]).output.hasPrefix("shop fresh token="))

            rig.keepSecret("handed-over-7")
            let file = try rig.write("handed-over-7\n", to: "handed-over")
            let loaded = try await desk.command(["token", "load", "--token-file", file, "--expires-in", "60"])
            #expect(loaded.status == .exited(0) && loaded.output.contains("expires_in=60s"), "\(loaded)")
            #expect(try await desk.command(["token", "get", "--reveal"]).output == "handed-over-7\n")
            #expect(try await desk.command(["token", "expire"]).status == .exited(0))
            #expect(try await desk.command(["token", "get", "--reveal"]).output != "handed-over-7\n")

            let bad = try await desk.command(["token", "load", "--token-file", try rig.write("a b", to: "bad")])
            #expect(bad.status == .exited(1) && bad.errors.contains("offset 1"), "\(bad)")
            #expect(try await desk.command(["token", "get", "--provider", "other"]).status == .exited(1))
        }
    }

    @Test("ready says what is missing, waits for it, and tells nobody from not ready")
    func readyCommand() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            try await emulator.setIssuer("status", ["status": 500])
            let proxy = try await rig.proxy(
                for: emulator, provider: ["maxErrorTokenRefreshDelayMsec": 50, "fetchBudgetPerMinute": 0])
            let desk = try await desk(rig, proxy)
            let not = try await desk.command(["ready"])
            #expect(not.status == .exited(1) && not.errors.contains("token (shop)"), "\(not)")
            #expect(try await desk.command(["ready", "--for", "listener,ca"]).status == .exited(0))
            async let waited = desk.command(["ready", "--wait", "20"])
            try await emulator.setIssuer("ok")
            #expect(try await waited.status == .exited(0))
            await proxy.process.stop()
            let nobody = try await desk.command(["ready"])
            #expect(nobody.status == .exited(69))
            #expect(nobody.errors.split(separator: "\n").count == 1)
            #expect(!FileManager.default.fileExists(atPath: desk.tokenFile))
        }
    }

    @Test("while it drains the proxy is alive and not ready")
    func draining() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let desk = try await desk(rig, try await rig.proxy(for: odd, more: ["limits": ["drainSec": 20]]))
            let (proxy, admin) = (desk.proxy, desk)
            async let slow = try? await proxy.get("http://open.test/slow/6000")
            _ = try await eventually("no connection was counted") {
                try await admin.get("/v1/status").body["counters"]["connections"].integer == 1 ? true : nil
            }
            proxy.process.send(signal: SIGTERM)
            _ = try await eventually("it did not say that it drains", within: .seconds(5)) {
                try await admin.get("/readyz").status == 503 ? true : nil
            }
            _ = await slow
        }
    }

    @Test("an admin port in use is said in one line that names admin.listen, with status 69")
    func portInUse() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let desk = try await desk(rig, try await rig.proxy(for: odd))
            let second = try await rig.command(
                ["run", "--listen", "127.0.0.1:0", "--host", "shop.test", "--admin-listen", "\(desk.admin)"],
                environment: ["WAF_TOKEN": "static-token-3"])
            #expect(second.status == .exited(69))
            let said = (second.output + second.errors).split(separator: "\n")
            #expect(said.count == 1 && said[0].contains("admin.listen") && said[0].contains("\(desk.admin)"), "\(said)")
            #expect(FileManager.default.fileExists(atPath: desk.tokenFile))
        }
    }
}

extension Rig {
    /// Runs a command of the binary to its end, in the environment that the proxies of this rig have.
    func command(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (status: ExitStatus, output: String, errors: String) {
        let process = try launchBinary("command", arguments, environment: environment)
        let status = try await process.exit(within: .seconds(30 * Places.patience))
        return (status, process.output.text, process.errors.text)
    }
}

import Foundation
import Testing

/// `waf-token-proxy env`, for a proxy that runs elsewhere.
@Suite(.timeLimit(.minutes(5)))
struct EnvTests {
    private func env(
        _ rig: Rig, _ options: [String], environment: [String: String] = [:]
    ) async throws -> (status: ExitStatus, output: String, errors: String) {
        let process = try rig.launchBinary("env", ["env"] + options, environment: environment)
        return (try await process.exit(), process.output.text, process.errors.text)
    }

    @Test("A shell that evaluates it uses the proxy")
    func evaluated() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            let script = "eval \"$(\"$0\" env --proxy \(proxy.address))\"; curl -sS --fail http://shop.test/get"
            let result = try await rig.run("sh", ["-c", script, Places.binary], environment: ["HOME": rig.folder])
            #expect(result.status == .exited(0), "\(result.errors)")
            #expect(try await emulator.requests().map { $0["verdict"].string } == ["accepted"])
        }
    }

    @Test("The address comes from the settings, from a running proxy, or from a flag")
    func addresses() async throws {
        try await Rig.with { rig in
            func proxy(_ options: [String], _ environment: [String: String] = [:]) async throws -> String? {
                let result = try await env(rig, options + ["--format", "json"], environment: environment)
                #expect(result.status == .exited(0), "\(result.errors)")
                return JSON(parsing: result.output)?["https_proxy"].string
            }
            #expect(try await proxy([]) == "http://127.0.0.1:8080")
            #expect(try await proxy(["--listen", "0.0.0.0:3128"]) == "http://127.0.0.1:3128")
            #expect(try await proxy([], ["WAF_TOKEN_PROXY_LISTEN": "[::]:3128"]) == "http://[::1]:3128")
            #expect(try await proxy(["--proxy", "proxy:8080", "--listen", "127.0.0.1:0"]) == "http://proxy:8080")
            let file = try rig.write("token", to: "token")
            let running = try await rig.proxy(source: ["type": "file", "path": .string(file)])
            let admin = try await running.process.address("admin")
            #expect(try await proxy(["--admin", "\(admin)"]) == "http://\(running.address)")
        }
    }

    @Test("A port that is not known is refused, and so is what a format cannot carry")
    func refused() async throws {
        try await Rig.with { rig in
            let open = try await env(rig, ["--listen", "127.0.0.1:0"])
            #expect(open.status == .exited(2))
            #expect(open.errors.hasPrefix("--proxy: needed"))
            let odd = try await env(rig, ["--trust-kit", "/a'b\\c", "--format", "dotenv"])
            #expect(odd.status == .exited(1))
            #expect(odd.output.isEmpty)
            #expect(odd.errors.hasPrefix("waf-token-proxy: SSL_CERT_FILE: dotenv has no way to write its value"))
        }
    }

    @Test("A trust kit named by a relative path is named by its whole path")
    func relative() async throws {
        try await Rig.with { rig in
            let script = "cd \(rig.folder) && \"$0\" env --trust-kit ./kit/ --format docker"
            let result = try await rig.run("sh", ["-c", script, Places.binary])
            let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
            #expect(lines.contains("SSL_CERT_FILE=\(rig.folder)/kit/bundle.pem"))
            #expect(lines.contains("NODE_EXTRA_CA_CERTS=\(rig.folder)/kit/ca.pem"))
        }
    }
}

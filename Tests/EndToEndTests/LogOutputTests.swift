import Foundation
import Testing

/// Standard outputs that take no line: requests go on, and what is lost is counted and said.
@Suite(.timeLimit(.minutes(10)))
struct LogOutputTests {
    @Test(
        "an output that is closed, full or read by nobody costs lines of the log and nothing else",
        arguments: [">&-", ">/dev/full", "2>&- | true"])
    func deadOutput(redirection: String) async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            rig.keepSecret("static-token-1")
            let file = try rig.write(
                JSON.object([
                    "listen": ["127.0.0.1:0"], "admin": ["listen": "127.0.0.1:0"],
                    "upstream": ["resolve": ["shop.test:80": .string("\(odd.http)")]],
                    "providers": [
                        ["hosts": ["shop.test"], "source": ["type": "static", "value": "static-token-1"]]
                    ],
                ]).text, to: "quiet.yaml")
            let script = "echo $$ >\(rig.folder)/pid; exec \"$0\" run --config \(file) \(redirection)"
            let shell =
                redirection.contains("|")
                ? "{ echo $BASHPID >\(rig.folder)/pid; exec \"$0\" run --config \(file); } 2>&- | true"
                : script
            let process = try rig.launch(
                "shell", "/bin/bash", ["-c", shell, Places.binary],
                environment: ["XDG_RUNTIME_DIR": rig.folder, "HOME": rig.folder])
            // Nothing says where it listens, but the file with its token does.
            let admin = try await admin(rig)
            // The file comes before the listener.
            let status = try await eventually("no status") { try? await get("/v1/status", from: admin) }
            let address = try #require(status["listen"].elements.first?.string.flatMap { Address($0) })
            let proxy = RunningProxy(process: process, address: address)
            for _ in 0..<50 { #expect(try await proxy.get("http://shop.test/x").status == 200) }
            let pid = try #require(
                pid_t(
                    try String(contentsOfFile: "\(rig.folder)/pid", encoding: .utf8)
                        .trimmingCharacters(in: .newlines)))
            #expect(try await lost(admin) >= 50)
            kill(pid, SIGTERM)
            #expect(try await process.exit() == .exited(0))
            if !redirection.hasPrefix("2>&-") {
                let said = process.errors.text.split(separator: "\n")
                #expect(said.count == 1 && said[0].contains("the log cannot be written: "), "\(said)")
            }
        }
    }

    @Test("an output that nobody reads blocks no request; lost lines are counted, and said once somebody reads")
    func blockedOutput() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            rig.keepSecret("static-token-1")
            let file = try rig.write(
                JSON.object([
                    "listen": ["127.0.0.1:0"], "admin": ["listen": "127.0.0.1:0"], "log": ["format": "json"],
                    "upstream": ["resolve": ["shop.test:80": .string("\(odd.http)")]],
                    "providers": [
                        ["hosts": ["shop.test"], "source": ["type": "static", "value": "static-token-1"]]
                    ],
                ]).text, to: "blocked.yaml")
            let fifo = "\(rig.folder)/log"
            #expect(mkfifo(fifo, 0o600) == 0)
            // Open for both, it has a reader that never reads.
            let process = try rig.launch(
                "proxy", "/bin/bash", ["-c", "exec 3<>\(fifo); exec \"$0\" run --config \(file) >&3", Places.binary],
                environment: ["XDG_RUNTIME_DIR": rig.folder, "HOME": rig.folder])
            let admin = try await admin(rig)
            let status = try await eventually("no status") { try? await get("/v1/status", from: admin) }
            let address = try #require(status["listen"].elements.first?.string)
            // Answers of the proxy itself: 10,000 lines are more than the pipe and the buffer hold.
            let burst = try await rig.run(
                "/usr/bin/curl",
                ["-sS", "-o", "/dev/null", "-x", "http://\(address)", "http://169.254.169.254/[1-10000]"],
                within: .seconds(60))
            #expect(burst.status == .exited(0), "\(burst.errors.suffix(500))")
            let proxy = RunningProxy(process: process, address: try #require(Address(address)))
            #expect(try await proxy.get("http://shop.test/x").status == 200)
            let lost = try await lost(admin)
            #expect(lost > 0)
            let reader = try rig.launch("reader", "/bin/cat", [fifo], environment: [:])
            let line = try await eventually("nothing says that lines were lost") {
                reader.output.records.first { $0["msg"].string == "log lines were lost" }
            }
            let count = try #require(line["count"].integer)
            #expect(line["level"].string == "warning" && count >= lost)
            #expect(try await proxy.get("http://shop.test/later").status == 200)
            _ = try await eventually("the log does not go on") {
                reader.output.records.first { $0["path"].string == "/later" }
            }
        }
    }

    private func admin(_ rig: Rig) async throws -> Address {
        try await eventually("it leaves no token") {
            try? FileManager.default.contentsOfDirectory(atPath: "\(rig.folder)/waf-token-proxy")
                .compactMap { Address(String($0.dropFirst("admin-".count).dropLast(".token".count))) }.first
        }
    }

    /// Lines of the log that were lost, by the metrics.
    private func lost(_ admin: Address) async throws -> Int {
        let answer = try await onThread {
            let connection = try RawConnection(to: admin)
            try connection.send("GET /metrics HTTP/1.1\r\nHost: \(admin)\r\nConnection: close\r\n\r\n")
            return try connection.receiveResponse()
        }
        let line = answer.text.split(separator: "\n").first { $0.hasPrefix("waf_token_proxy_log_lines_dropped_total ") }
        return line.flatMap { Int($0.split(separator: " ")[1]) } ?? -1
    }

    private func get(_ path: String, from admin: Address) async throws -> JSON {
        let answer = try await onThread {
            let connection = try RawConnection(to: admin)
            try connection.send("GET \(path) HTTP/1.1\r\nHost: \(admin)\r\nConnection: close\r\n\r\n")
            return try connection.receiveResponse()
        }
        return JSON(parsing: answer.text) ?? .null
    }
}

import Foundation
import Testing

/// New settings for a process that runs, by signal and by the admin API.
@Suite(.timeLimit(.minutes(10)))
struct ReloadTests {
    /// A proxy whose file can be written again.
    private struct Desk {
        let rig: Rig
        let file: String
        let proxy: RunningProxy
        let configuration: JSON

        init(_ rig: Rig, _ emulator: Emulator, more: JSON = [:]) async throws {
            self.rig = rig
            let source: JSON = ["type": "http", "url": .string(emulator.tokenURL)]
            configuration = JSON.object([
                "listen": ["127.0.0.1:0"], "threads": 2, "admin": ["listen": "127.0.0.1:0"], "explain": true,
                "providers": [["name": "shop", "domainName": "shop.test", "hosts": ["shop.test:*"], "source": source]],
                "upstream": [
                    "resolve": [
                        "shop.test:80": .string("\(emulator.http)"), "late.shop.test:80": .string("\(emulator.http)"),
                    ]
                ],
                "log": ["format": "json", "level": "info", "access": false],
            ]).merging(more)
            file = try rig.write(configuration.text, to: "reloaded.yaml")
            let process = try rig.launchBinary("proxy", ["run", "--config", file])
            proxy = RunningProxy(process: process, address: try await process.address("proxy"))
        }

        func write(_ more: JSON) throws { try rig.write(configuration.merging(more).text, to: "reloaded.yaml") }

        /// Sends SIGHUP and gives back the lines that say what came of it.
        func hangUp(lines: Int = 1) async throws -> [JSON] {
            let before = outcomes.count
            proxy.process.send(signal: SIGHUP)
            return try await eventually("nothing is said of the reload") {
                outcomes.count >= before + lines ? Array(outcomes[before...]) : nil
            }
        }

        private var outcomes: [JSON] {
            proxy.process.output.records.filter { $0["msg"].string?.hasPrefix("settings ") == true }
        }

        var descriptors: Int {
            get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(proxy.process.pid)/fd").count }
        }

        /// Resident memory in kB.
        var memory: Int {
            get throws {
                let status = try String(contentsOfFile: "/proc/\(proxy.process.pid)/status", encoding: .utf8)
                let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
                return try #require(line.flatMap { Int($0.split(separator: " ", omittingEmptySubsequences: true)[1]) })
            }
        }

        func explanation(_ url: String) async throws -> String? { try await proxy.get(url)["x-waf-token-proxy"] }
    }

    private static let withLate: JSON = [
        "name": "late", "domainName": "late.shop.test", "hosts": ["late.shop.test:*"],
        "source": ["type": "static", "value": "late-token-4711"],
    ]

    private static let wider: JSON = [
        "name": "wide", "domainName": "wide.test", "hosts": ["wide.test"],
        "source": ["type": "static", "value": "late-token-4711"],
    ]

    @Test("SIGHUP: a provider comes and goes, the one that stays keeps its token")
    func providers() async throws {
        try await Rig.with { rig in
            rig.keepSecret("late-token-4711")
            let emulator = try await rig.emulator()
            let desk = try await Desk(rig, emulator)
            #expect(try await desk.explanation("http://shop.test/get")?.hasPrefix("token=attached") == true)
            #expect(try await desk.explanation("http://late.shop.test/get")?.hasPrefix("token=none") == true)
            let calls = try await emulator.issuerCalls()
            try desk.write(["providers": .array(desk.configuration["providers"].elements + [Self.withLate])])
            #expect(try await desk.hangUp().map { $0["changed"].string } == ["providers"])
            #expect(try await desk.explanation("http://late.shop.test/get")?.hasPrefix("token=attached") == true)
            #expect(try await desk.explanation("http://shop.test/get")?.hasPrefix("token=attached") == true)
            try desk.write([:])
            _ = try await desk.hangUp()
            #expect(try await desk.explanation("http://late.shop.test/get")?.hasPrefix("token=none") == true)
            #expect(try await emulator.issuerCalls() == calls)
        }
    }

    @Test("wrong settings and such as need a restart are said in one line each; the old ones hold")
    func refused() async throws {
        try await Rig.with { rig in
            rig.keepSecret("late-token-4711")
            let emulator = try await rig.emulator()
            let desk = try await Desk(rig, emulator)
            let wrongs: [(JSON, [String])] = [
                (["threads": 1], ["threads: cannot change while the proxy runs; a restart is needed"]),
                (
                    ["listen": ["127.0.0.1:1"], "admin": ["listen": "none"]],
                    [
                        "listen: cannot change while the proxy runs; a restart is needed",
                        "admin.listen: cannot change while the proxy runs; a restart is needed",
                    ]
                ),
                (
                    ["providers": .array(desk.configuration["providers"].elements + [Self.wider])],
                    ["the certificate authority that clients trust may not sign for wide.test"]
                ),
                (["providerz": []], ["reloaded.yaml"]),
                (["upstream": ["caFile": "/nonexistent.pem"]], ["/nonexistent.pem"]),
            ]
            for (wrong, lines) in wrongs {
                try desk.write(wrong)
                let said = try await desk.hangUp(lines: lines.count)
                #expect(said.count == lines.count, "\(said)")
                for (record, line) in zip(said, lines) {
                    #expect(record["msg"].string == "settings not reloaded, the old ones hold")
                    #expect(record["detail"].string?.contains(line) == true, "\(record)")
                }
                #expect(try await desk.explanation("http://shop.test/get")?.hasPrefix("token=attached") == true)
            }
            try FileManager.default.removeItem(atPath: desk.file)
            #expect(try await desk.hangUp().count == 1)
        }
    }

    @Test("the level of the log changes while it runs")
    func logLevel() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let desk = try await Desk(rig, emulator)
            _ = try await desk.proxy.get("http://shop.test/get")
            #expect(desk.proxy.accessLog.isEmpty)
            try desk.write(["log": ["format": "json", "access": true]])
            #expect(try await desk.hangUp().map { $0["changed"].string } == ["log"])
            _ = try await desk.proxy.get("http://shop.test/get")
            _ = try await eventually("no access line") { desk.proxy.accessLog.isEmpty ? nil : true }
        }
    }

    @Test("POST /v1/reload needs the token and says what came of it")
    func api() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let desk = try await Desk(rig, emulator)
            let admin = try await desk.proxy.process.address("admin")
            let token = try String(
                contentsOfFile: "\(rig.folder)/waf-token-proxy/admin-\(admin).token", encoding: .utf8)
            func post(_ fields: String) async throws -> (status: Int, body: JSON) {
                let answer = try await onThread {
                    let connection = try RawConnection(to: admin)
                    try connection.send(
                        "POST /v1/reload HTTP/1.1\r\nHost: \(admin)\r\n\(fields)Content-Length: 0\r\n\r\n")
                    return try connection.receiveResponse()
                }
                return (answer.status, JSON(parsing: answer.text) ?? .null)
            }
            #expect(try await post("").status == 401)
            let bearer = "Authorization: Bearer \(token.trimmingCharacters(in: .newlines))\r\n"
            try desk.write(["via": false])
            let done = try await post(bearer)
            #expect(done.status == 200 && done.body["changed"].elements == ["via"], "\(done)")
            try desk.write(["threads": 5])
            let refused = try await post(bearer)
            #expect(refused.status == 409 && refused.body["faults"].elements.count == 1, "\(refused)")
        }
    }

    @Test("a hundred reloads under load: no request fails, no connection is dropped, nothing grows")
    func hundred() async throws {
        try await Rig.with { rig in
            rig.keepSecret("late-token-4711")
            let emulator = try await rig.emulator()
            let desk = try await Desk(rig, emulator)
            _ = try await desk.proxy.get("http://shop.test/get")
            let calls = try await emulator.issuerCalls()
            let client = try rig.launch(
                "steady", Places.python,
                [Places.support("steady_client.py"), "\(desk.proxy.address)", "http://shop.test/get", "16"])
            let both: JSON = ["providers": .array(desk.configuration["providers"].elements + [Self.withLate])]
            let changes: [JSON] = [both, ["access": ["denyDestinations": ["192.0.2.0/24"]]], ["via": false], [:]]
            func reload(_ count: Int) async throws {
                for number in 0..<count {
                    try desk.write(changes[number % changes.count])
                    #expect(try await desk.hangUp().map { $0["msg"].string } == ["settings reloaded"])
                }
            }
            try await reload(20)
            let (descriptors, memory) = (try desk.descriptors, try desk.memory)
            try await reload(100)
            client.send(signal: SIGTERM)
            try await client.exit(within: .seconds(70 * Places.patience))
            let result = try #require(JSON(parsing: client.output.text))
            let good = result["results"]["200"]
            #expect(result["results"] == .object(["200": good]) && good.integer ?? 0 > 100, "\(result)")
            #expect(result["opened"].number == 16)
            #expect(try await emulator.issuerCalls() == calls)
            _ = try await eventually("more descriptors than \(descriptors) are left") {
                try desk.descriptors <= descriptors ? true : nil
            }
            if Places.patience == 1 { #expect(try desk.memory < memory + 8192, "before: \(memory) kB") }
        }
    }
}

import Foundation
import Testing

/// Bad starts and bad surroundings: one clear line and the right status, or nothing lost.
@Suite(.timeLimit(.minutes(10)))
struct LifeTests {
    @Test("SIGTERM with two hundred requests in flight: each of them gets its answer")
    func drainUnderLoad() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let client = try rig.launch(
                "burst", Places.python,
                [Places.support("burst_client.py"), "\(proxy.address)", "http://open.test/slow/2000", "200"])
            _ = try await eventually("not all requests reached the origin") {
                odd.headsSoFar.count { $0.contains(" /slow/2000") } == 200 ? true : nil
            }
            proxy.process.send(signal: SIGTERM)
            try await client.exit()
            #expect(JSON(parsing: client.output.text)?["statuses"] == ["200": 200], "\(client.output.text)")
            #expect(try await proxy.process.exit() == .exited(0))
        }
    }

    @Test("an admin address that is taken is said in one line, with status 69")
    func adminInUse() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let admin = try await rig.proxy(for: odd).process.address("admin")
            let second = try rig.launchBinary(
                "second", ["run", "--listen", "127.0.0.1:0", "--admin-listen", "\(admin)"])
            #expect(try await second.exit(within: .seconds(20 * Places.patience)) == .exited(69))
            let said = (second.output.text + second.errors.text).split(separator: "\n")
            #expect(said.count == 1 && said[0].contains("admin.listen: cannot listen on \(admin)"), "\(said)")
        }
    }

    @Test(
        "with too few descriptors for its threads it ends with a line and a status, not by a signal",
        arguments: [4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44])
    func fewDescriptors(limit: Int) async throws {
        try await Rig.with { rig in
            let words = "run --listen 127.0.0.1:0 --admin-listen 127.0.0.1:0 --threads 8"
            let process = try rig.launch(
                "few", "/bin/sh", ["-c", "ulimit -n \(limit); exec \(Places.binary) \(words)"])
            #expect(try await process.exit(within: .seconds(20 * Places.patience)) == .exited(69))
            #expect((process.output.text + process.errors.text).contains("waf-token-proxy: "))
            #expect(!process.errors.text.contains("Fatal error"))
        }
    }

    @Test("what is printed and cannot be written is said, with status 1", arguments: ["help", "check", "env", "man"])
    func fullOutput(command: String) async throws {
        try await Rig.with { rig in
            let words = command == "check" ? "check --host shop.test --token-file /dev/null" : command
            let process = try rig.launch("full", "/bin/sh", ["-c", "exec \(Places.binary) \(words) >/dev/full"])
            #expect(try await process.exit() == .exited(1))
            #expect(process.errors.text.contains("standard output cannot be written: No space left on device"))
        }
    }

    @Test("a file with a secret that cannot be read is said in one line, with status 2", arguments: ["missing", "."])
    func unreadableSecret(name: String) async throws {
        try await Rig.with { rig in
            let path = "\(rig.folder)/\(name)"
            let process = try rig.launchBinary(
                "proxy", ["run", "--listen", "127.0.0.1:0", "--host", "shop.test", "--admin-listen", "none"],
                environment: ["WAF_TOKEN_PROXY_TOKEN_VALUE_FILE": path])
            #expect(try await process.exit(within: .seconds(20 * Places.patience)) == .exited(2))
            let said = (process.output.text + process.errors.text).split(separator: "\n")
            #expect(said.count == 1 && said[0].contains(path), "\(said)")
        }
    }

    @Test("the clock jumps by an hour: the token counts as expired, a new one is fetched, no request fails")
    func clockJump() async throws {
        let library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
        try #require(FileManager.default.fileExists(atPath: library), "libfaketime is missing: scripts/setup")
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let clock = try rig.write("+0\n", to: "clock")
            let file = try rig.write(
                JSON.object([
                    "listen": ["127.0.0.1:0"], "admin": ["listen": "none"], "explain": true,
                    "log": ["format": "json"],
                    "upstream": ["resolve": ["shop.test:80": .string("\(emulator.http)")]],
                    "providers": [
                        [
                            "domainName": "shop.test", "hosts": ["shop.test"],
                            "source": ["type": "http", "url": .string(emulator.tokenURL)],
                        ]
                    ],
                ]).text, to: "jump.yaml")
            // Through env: in the first process that libfaketime sees, Swift's runtime finds no arguments.
            let process = try rig.launch(
                "proxy", "/usr/bin/env", [Places.binary, "run", "--config", file],
                environment: [
                    "HOME": rig.folder, "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": clock,
                    "FAKETIME_NO_CACHE": "1",
                    "DONT_FAKE_MONOTONIC": "1",
                ])
            let proxy = RunningProxy(process: process, address: try await process.address("proxy"))
            #expect(
                try await proxy.get("http://shop.test/get")["x-waf-token-proxy"]?.hasPrefix("token=attached") == true)
            let calls = try await emulator.issuerCalls()
            try rig.write("+3600\n", to: "clock")
            _ = try await eventually("no fetch after the jump") {
                let answer = try await proxy.get("http://shop.test/get")
                #expect(answer.status == 200 && answer["x-waf-token-proxy"]?.hasPrefix("token=attached") == true)
                return try await emulator.issuerCalls() > calls ? true : nil
            }
            _ = try await eventually("nothing is said of the jump") {
                process.output.records.first { $0["msg"].string == "the clock jumped" }
            }
        }
    }

    /// Whether this user may make a namespace of processes.
    private static let canUnshare: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = ["-r", "-p", "-f", "--mount-proc", "true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test("as process number 1 it leaves no zombies and ends on SIGTERM", .enabled(if: canUnshare))
    func processOne() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            rig.keepSecret("token-of-one")
            let command = try rig.write(
                "#!/bin/sh\n(sleep 0.3 >/dev/null 2>&1 &)\n(sleep 0.1 >/dev/null 2>&1 &)\necho token-of-one\n",
                to: "command")
            // Read and not executed: another test's child may still have it open for writing, "text file busy".
            let file = try rig.write(
                JSON.object([
                    "listen": ["127.0.0.1:0"], "admin": ["listen": "none"], "log": ["format": "json"],
                    "upstream": ["resolve": ["shop.test:80": .string("\(odd.http)")]],
                    "providers": [
                        [
                            "hosts": ["shop.test"],
                            "source": ["type": "exec", "command": ["/bin/sh", .string(command)]],
                        ]
                    ],
                ]).text, to: "one.yaml")
            let process = try rig.launch(
                "proxy", "/usr/bin/unshare",
                ["-r", "-p", "-f", "--mount-proc", "--kill-child=KILL", Places.binary, "run", "--config", file],
                environment: ["HOME": rig.folder])
            let proxy = RunningProxy(process: process, address: try await process.address("proxy"))
            #expect(try await proxy.get("http://shop.test/x").status == 200)
            let one = try #require(children(of: process.pid).first)
            // Both orphans have ended, and nothing is left of them.
            _ = try await eventually("orphans are left: \(children(of: one))") {
                children(of: one).isEmpty ? true : nil
            }
            kill(one, SIGTERM)
            #expect(try await process.exit() == .exited(0))
        }
    }

    private func children(of pid: pid_t) -> [pid_t] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return tasks.flatMap { task in
            ((try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/children", encoding: .utf8)) ?? "")
                .split(separator: " ").compactMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
    }
}

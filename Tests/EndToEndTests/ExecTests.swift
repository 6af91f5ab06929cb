import Foundation
import Testing

/// `waf-token-proxy exec`: one command with the proxy, and nothing left of it afterwards.
@Suite(.timeLimit(.minutes(5)))
struct ExecTests {
    @Test(
        "It ends as the command does",
        arguments: [
            ("exit 0", 0), ("exit 7", 7), ("exit 255", 255), ("kill -KILL $$", 137), ("kill -TERM $$", 143),
        ] as [(String, Int32)])
    func statuses(script: String, status: Int32) async throws {
        try await Rig.with { rig in
            let result = try await rig.exec([], ["sh", "-c", script])
            #expect(result.status == .exited(status))
            #expect(result.output.isEmpty)
            #expect(result.errors.isEmpty)
        }
    }

    @Test("A command that is not there is 127, one that cannot be run 126, as in a shell")
    func noCommand() async throws {
        try await Rig.with { rig in
            let missing = try await rig.exec([], ["no-such-command"])
            #expect(missing.status == .exited(127))
            #expect(missing.errors == "waf-token-proxy: cannot run no-such-command: no such file or directory\n")
            let plain = try rig.write("#!/bin/sh\n", to: "plain")
            let refused = try await rig.exec([], [plain])
            #expect(refused.status == .exited(126))
            let usage = try await rig.exec([], [])
            #expect(usage.status == .exited(2))
        }
    }

    @Test("The command gets through to the protected page, and standard output holds what it wrote alone")
    func throughTheProxy() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let url = "http://shop.test/protected/get"
            let get = ["curl", "-sS", "--fail", "-o", "/dev/null", "-w", "%{http_code}", url]
            let result = try await rig.exec(rig.execOptions(for: emulator), get)
            #expect(result.status == .exited(0), "\(result.errors)")
            #expect(result.output == "200")
            #expect(result.errors.isEmpty)
            #expect(try await emulator.requests().map { $0["verdict"].string } == ["accepted"])
        }
    }

    @Test("Signals are passed on, and the command decides", arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
    func signals(signal: Int32) async throws {
        try await Rig.with { rig in
            let temporary = try rig.temporaryFolder()
            let script = """
                import signal, sys
                for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
                    signal.signal(number, lambda number, frame: sys.exit(number))
                print("up", flush=True)
                while True:
                    signal.pause()
                """
            let process = try rig.launchExec([], environment: ["TMPDIR": temporary], ["python3", "-c", script])
            _ = try await eventually("the command is not up") { process.output.lines.first }
            process.send(signal: signal)
            #expect(try await process.exit() == .exited(signal))
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
        }
    }

    @Test("Ctrl-C on the terminal reaches the command once, SIGTERM sent to the proxy reaches it as well")
    func terminal() async throws {
        try await Rig.with { rig in
            let words = [Places.support("terminal_interrupt.py"), Places.binary, "exec", "--"]
            let result = try await rig.run(Places.python, words, environment: ["HOME": rig.folder])
            #expect(result.status == .exited(0), "\(result.errors)")
            #expect(String(decoding: result.output, as: UTF8.self).contains("interrupts 1\r\n"))
        }
    }

    @Test("Our own settings, secrets among them, are taken out of the command's environment")
    func scrubbed() async throws {
        try await Rig.with { rig in
            rig.keepSecret("secret-token-77")
            let file = try rig.write("another", to: "token")
            let environment = ["WAF_TOKEN": "secret-token-77", "WAF_TOKEN_PROXY_ADMIN_TOKEN_FILE": file, "MINE": "1"]
            let result = try await rig.exec(
                ["--host", "shop.test"], environment: environment,
                ["sh", "-c", "env; tr '\\0' '\\n' </proc/self/environ"])
            #expect(result.status == .exited(0), "\(result.errors)")
            #expect(!result.output.contains("WAF_TOKEN"))
            #expect(result.output.contains("\nMINE=1\n"))
        }
    }

    @Test("What is set already is kept where it can be extended")
    func extended() async throws {
        try await Rig.with { rig in
            let before = ["no_proxy": "a.test", "NO_PROXY": "b.test", "JAVA_TOOL_OPTIONS": "-Xmx64m"]
            let result = try await rig.exec(["--no-proxy", "c.test"], environment: before, ["env"])
            let lines = result.output.split(separator: "\n")
            #expect(lines.contains("no_proxy=a.test,b.test,c.test"))
            #expect(lines.contains("NO_PROXY=a.test,b.test,c.test"))
            #expect(lines.contains { $0.hasPrefix("JAVA_TOOL_OPTIONS=-Xmx64m -Dhttp.proxyHost=127.0.0.1 ") })
            let none = try await rig.exec(["--java", "none"], environment: before, ["env"])
            #expect(none.output.split(separator: "\n").contains("JAVA_TOOL_OPTIONS=-Xmx64m"))
        }
    }

    @Test("An inherited NO_PROXY that swallows a listed host is warned of")
    func swallowed() async throws {
        try await Rig.with { rig in
            let file = try rig.write("token", to: "token")
            let options = ["--host", "shop.test", "--token-file", file]
            let result = try await rig.exec(options, environment: ["NO_PROXY": "corp,.test"], ["true"])
            #expect(result.status == .exited(0))
            #expect(result.errors.contains("warning: NO_PROXY holds .test: clients do not ask the proxy for shop.test"))
            #expect(result.errors.split(separator: "\n").count == 1)
        }
    }

    @Test("Nothing is left behind: no file, no listener, and while it runs nobody else sees the files")
    func leftovers() async throws {
        try await Rig.with { rig in
            let temporary = try rig.temporaryFolder()
            let script = "stat -c '%a' \"$TMPDIR\"/*; echo \"$http_proxy\""
            let result = try await rig.exec([], environment: ["TMPDIR": temporary], ["sh", "-c", script])
            let lines = result.output.split(separator: "\n")
            #expect(lines.first == "700")
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
            let proxy = lines.last.map(String.init) ?? ""
            let again = try await rig.run("curl", ["-sS", "-x", proxy, "http://shop.test/"])
            #expect(again.status == .exited(7), "could connect to \(proxy)")
        }
    }

    @Test("The command has our standard input, and our limit of open files")
    func inherited() async throws {
        try await Rig.with { rig in
            let script = "ulimit -n 600; echo hello | \"$0\" exec -- sh -c 'cat; ulimit -n'"
            let result = try await rig.run("sh", ["-c", script, Places.binary], environment: ["HOME": rig.folder])
            #expect(String(decoding: result.output, as: UTF8.self) == "hello\n600\n")
        }
    }

    @Test("A challenge that stays is told of, and makes a command fail that went well")
    func unresolved() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let file = try rig.write("worthless-token", to: "token")
            rig.keepSecret("worthless-token")
            let options = [
                "--host", "shop.test", "--token-file", file, "--resolve", "shop.test:80=\(emulator.http)",
                "--profile", "unrestricted",
            ]
            let get = ["curl", "-sS", "-o", "/dev/null", "http://shop.test/"]
            let quiet = try await rig.exec(options, get)
            #expect(quiet.status == .exited(0))
            let strict = options + ["--fail-on-unresolved-challenge"]
            let loud = try await rig.exec(strict, get)
            #expect(loud.status == .exited(1))
            #expect(
                loud.errors.hasSuffix(
                    "waf-token-proxy: 1 challenge stayed unresolved: 1 source_returned_same_token\n"))
            let failed = try await rig.exec(strict, ["sh", "-c", get.joined(separator: " ") + "; exit 9"])
            #expect(failed.status == .exited(9))
            let fine = try await rig.exec(
                rig.execOptions(for: emulator) + ["--fail-on-unresolved-challenge"],
                ["curl", "-sS", "--fail", "-o", "/dev/null", "http://shop.test/"])
            #expect(fine.status == .exited(0), "\(fine.errors)")
        }
    }

    @Test(
        "Where there is no room for the trust kit, one line says so, and nothing is left",
        .enabled(if: Places.patience == 1, "a sanitizer's own memory is a large file"))
    func noRoom() async throws {
        try await Rig.with { rig in
            let temporary = try rig.temporaryFolder()
            let file = try rig.write("token", to: "token")
            // A limit on the size of files fails in the middle of one, as a disk without room does.
            let script = "trap '' XFSZ; ulimit -f 20; exec \"$0\" exec --host shop.test --token-file \"$1\" -- echo ran"
            let result = try await rig.run(
                "sh", ["-c", script, Places.binary, file],
                environment: ["HOME": rig.folder, "TMPDIR": temporary])
            #expect(result.status == .exited(1))
            #expect(result.output.isEmpty)
            #expect(result.errors.contains("the trust kit cannot be written"))
            #expect(result.errors.split(separator: "\n").count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
        }
    }

    @Test("Where no temporary folder can be made, one line says so")
    func noFolder() async throws {
        try await Rig.with { rig in
            let result = try await rig.exec([], environment: ["TMPDIR": "/proc"], ["true"])
            #expect(result.status == .exited(1))
            #expect(result.errors.split(separator: "\n").count == 1)
            #expect(result.errors.contains("mkdtemp in /proc"))
        }
    }
}

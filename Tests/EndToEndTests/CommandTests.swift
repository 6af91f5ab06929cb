import Foundation
import Testing

/// The commands themselves: what they print and their exit status.
@Suite(.timeLimit(.minutes(10)))
struct CommandTests {
    private func run(_ rig: Rig, _ arguments: [String], environment: [String: String] = [:]) async throws -> (
        status: ExitStatus, output: String, errors: String
    ) {
        let process = try rig.launchBinary("command", arguments, environment: environment)
        let status = try await process.exit(within: .seconds(20 * Places.patience))
        return (status, process.output.text, process.errors.text)
    }

    @Test("A port in use is said in one line, with status 69")
    func portInUse() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let second = try await run(
                rig, ["run", "--listen", "\(proxy.address)", "--host", "shop.test", "--admin-listen", "none"],
                environment: ["WAF_TOKEN": "static-token-2"])
            #expect(second.status == .exited(69))
            let said = (second.output + second.errors).split(separator: "\n")
            #expect(said.count == 1, "\(said)")
            #expect(said.first?.contains("\(proxy.address)") == true)
        }
    }

    @Test(
        "Bad usage is refused with status 2 and the nearest name",
        arguments: [
            (["run", "--lisen", "127.0.0.1:0"], "--listen"), (["rum"], "run"),
            (["run", "--threads", "many"], "threads"),
        ])
    func badUsage(arguments: [String], hint: String) async throws {
        try await Rig.with { rig in
            let result = try await run(rig, arguments)
            #expect(result.status == .exited(2))
            #expect(result.errors.contains(hint), "\(result.errors)")
        }
    }

    @Test("A configuration file with an unknown key is refused with its line")
    func unknownKey() async throws {
        try await Rig.with { rig in
            let file = try rig.write("listen: [\"127.0.0.1:0\"]\nproviderz: []\n", to: "bad.yaml")
            let result = try await run(rig, ["run", "--config", file])
            #expect(result.status == .exited(2))
            #expect(result.errors.contains("bad.yaml:2"), "\(result.errors)")
            #expect(result.errors.contains("providers"), "\(result.errors)")
        }
    }

    @Test("version and help succeed", arguments: [["version"], ["help"], ["help", "run"], ["run", "--help"]])
    func help(arguments: [String]) async throws {
        try await Rig.with { rig in
            let result = try await run(rig, arguments)
            #expect(result.status == .exited(0))
            #expect(!result.output.isEmpty)
            #expect(result.errors.isEmpty)
        }
    }

    @Test("demo --once shows a protected request and succeeds")
    func demo() async throws {
        try await Rig.with { rig in
            let process = try rig.launchBinary("demo", ["demo", "--once"])
            #expect(try await process.exit(within: .seconds(20 * Places.patience)) == .exited(0))
            #expect(process.output.text.contains("challenge"))
        }
    }

    @Test("The lines that demo prints work when pasted, for HTTP and HTTPS, and no file is left when it ends")
    func demoLines() async throws {
        try await Rig.with { rig in
            let process = try rig.launchBinary("demo", ["demo"], environment: ["TMPDIR": rig.folder])
            let said = try await eventually("the lines to paste") {
                process.output.text.contains("# what the endpoint saw\n") ? process.output.text : nil
            }
            let lines = said.components(separatedBy: "in another terminal:\n")[1]
            let pasted = try await rig.run("sh", ["-ec", lines])
            #expect(pasted.status == .exited(0), "\(pasted.errors)")
            let shown = String(decoding: pasted.output, as: UTF8.self)
            #expect(shown.components(separatedBy: "x-waf-token-proxy: token=attached").count - 1 == 3, "\(shown)")
            #expect(shown.contains("HTTP/1.1 202 "))
            process.send(signal: SIGTERM)
            #expect(try await process.exit(within: .seconds(20 * Places.patience)) == .exited(0))
            #expect(try FileManager.default.contentsOfDirectory(atPath: rig.folder).isEmpty)
        }
    }
}

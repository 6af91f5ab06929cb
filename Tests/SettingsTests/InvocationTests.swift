import Telemetry
import Testing

@testable import Settings

@Suite struct InvocationTests {
    @Test(arguments: [
        ([], "", "Usage: waf-token-proxy COMMAND", ExitCode.usage),
        (["--help"], "Usage: waf-token-proxy COMMAND", "", .success),
        (["-h"], "Usage: waf-token-proxy COMMAND", "", .success),
        (["help"], "Usage: waf-token-proxy COMMAND", "", .success),
        (["help", "run"], "Usage: waf-token-proxy run [options]", "", .success),
        (["help", "settings"], "| key | flag |", "", .success),
        (["help", "rum"], "", "rum: unknown command; the nearest is run", .usage),
        (["help", "run", "demo"], "", "demo: unexpected argument", .usage),
        (["completion", "bash"], "complete -F _waf_token_proxy waf-token-proxy", "", .success),
        (["completion", "zsh"], "#compdef waf-token-proxy", "", .success),
        (["completion", "fish"], "complete -c waf-token-proxy", "", .success),
        (["completion"], "", "completion: needs one of bash, zsh, fish", .usage),
        (["completion", "bush"], "", "bush: unknown shell; the nearest is bash", .usage),
        (["man"], ".TH WAF\\-TOKEN\\-PROXY 1 ", "", .success),
        (["man", "run"], "", "run: unexpected argument", .usage),
        (["run", "--help"], "Usage: waf-token-proxy run [options]", "", .success),
        (["run", "--nonsense", "-h"], "Usage: waf-token-proxy run [options]", "", .success),
        (["demo", "--help"], "--once", "", .success),
        (["emulator", "--help"], "--listen-https", "", .success),
        (["version"], "waf-token-proxy \(Product.version)\n", "", .success),
        (["--version"], "waf-token-proxy \(Product.version)\n", "", .success),
        (["run", "--version"], "waf-token-proxy \(Product.version)\n", "", .success),
        (["version", "x"], "", "x: unexpected argument", .usage),
        (["emulater"], "", "emulater: unknown command; the nearest is emulator", .usage),
        (["frobnicate"], "", "frobnicate: unknown command; see `waf-token-proxy help`", .usage),
        (["run", "--threads", "x"], "", "threads (--threads):", .usage),
        (["demo", "--host", "x"], "", "--host: unknown flag", .usage),
        (["emulator", "--listen", "x"], "", "emulator.listen (--listen):", .usage),
    ]) func `what is printed, where, and with which status`(
        arguments: [String], out: String, err: String, exitCode: ExitCode
    ) throws {
        let output = try #require(printed(arguments))
        #expect(output.exitCode == exitCode)
        #expect(out.isEmpty ? output.standardOutput.isEmpty : output.standardOutput.contains(out))
        #expect(err.isEmpty ? output.standardError.isEmpty : output.standardError.contains(err))
    }

    @Test func `commands that start something come with their settings`() {
        let run = Invocation(arguments: ["run"] + goodProvider, environment: [:], files: files())
        guard case .run(let settings, let warnings) = run else { return #expect(Bool(false)) }
        #expect(settings.providers.count == 1)
        #expect(warnings.isEmpty)
        let demo = Invocation(arguments: ["demo", "--once", "--log-level", "debug"], environment: [:], files: files())
        guard case .demo(let demoSettings, let proxy) = demo else { return #expect(Bool(false)) }
        #expect(demoSettings.once)
        #expect(proxy.log.level == .debug)
        let emulator = Invocation(
            arguments: ["emulator", "--domain", "a.test,b.test", "--immunity-sec=0"], environment: [:], files: files())
        guard case .emulator(let emulatorSettings, _) = emulator else { return #expect(Bool(false)) }
        #expect(emulatorSettings.domains == ["a.test", "b.test"])
        #expect(emulatorSettings.immunitySec == 0)
    }

    @Test func `the authority's command takes the settings of run, but needs no token source`() throws {
        let show = Invocation(
            arguments: ["ca", "show", "--host", "shop.test", "--ca-directory", "/d"], environment: [:], files: files())
        guard case .ca(.show, let settings, _, _) = show else { return #expect(Bool(false)) }
        #expect(settings.providers.map(\.hosts) == [["shop.test"]])
        #expect(settings.intercept.caDirectory == "/d")
        let export = Invocation(
            arguments: ["ca", "export", "--out=ca.pem"] + goodProvider, environment: [:],
            files: files(["waf-token-proxy.yaml": "threads: 2"]))
        guard case .ca(.export, let whole, let ca, _) = export else { return #expect(Bool(false)) }
        #expect(whole.threads == 2 && ca.out == "ca.pem")
        #expect(try #require(printed(["ca"])).standardError == "ca: needs one of show, export, trust-kit\n")
        #expect(try #require(printed(["ca", "exprt"])).standardError.contains("the nearest is export"))
        #expect(try #require(printed(["ca", "show", "--host", "a b"])).exitCode == .usage)
    }

    @Test func `the demonstration reads no file`() {
        let demo = Invocation(arguments: ["demo"], environment: [:], files: files(["waf-token-proxy.yaml": "nonsense"]))
        guard case .demo = demo else { return #expect(Bool(false)) }
    }
}

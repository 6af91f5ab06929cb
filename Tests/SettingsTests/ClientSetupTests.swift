import Telemetry
import Testing

@testable import Settings

/// The commands that tell clients of the proxy.
@Suite struct ClientSetupTests {
    private func invoke(_ arguments: [String], yaml: String? = nil) -> Invocation {
        Invocation(
            arguments: arguments, environment: [:], files: files(yaml.map { ["waf-token-proxy.yaml": $0] } ?? [:]))
    }

    private func faults(_ arguments: [String]) -> String? {
        if case .print(let output) = invoke(arguments), output.exitCode == .usage { output.standardError } else { nil }
    }

    @Test func `the command stands behind two dashes and is taken as it is`() throws {
        let words = ["sh", "-c", "echo --host", "--", "--help"]
        guard case .exec(let settings, _, let program, _) = invoke(["exec", "--via=false", "--"] + words) else {
            Issue.record("refused")
            return
        }
        #expect(program == words)
        #expect(!settings.via)
        #expect(faults(["exec"]) == "exec: needs a command to run behind --\n")
        #expect(faults(["exec", "--"]) == "exec: needs a command to run behind --\n")
        #expect(faults(["exec", "true", "--", "true"])?.hasPrefix("true: unexpected argument; the command") == true)
    }

    @Test func `exec says little unless it is told otherwise, and listens where it likes`() {
        let yaml = "listen: [\"127.0.0.1:8080\"]\nadmin: {listen: \"127.0.0.1:8080\"}"
        if case .exec(let settings, _, _, _) = invoke(["exec", "--", "true"], yaml: yaml) {
            #expect(settings.log.level == .warning)
        } else {
            Issue.record("listen of the file is nothing to exec")
        }
        if case .exec(let settings, _, _, _) = invoke(["exec", "--", "true"], yaml: "log: {level: info}") {
            #expect(settings.log.level == .info)
        }
        #expect(faults(["exec", "--listen", "127.0.0.1:0", "--", "true"]) != nil)
    }

    @Test func `env reads where the proxy listens, and needs no providers`() {
        let yaml = "listen: [\"127.0.0.1:3128\"]\nproviders: [{name: a}]"
        guard case .env(let setup, let listen, nil) = invoke(["env", "--no-proxy", "a,b", "--java=none"], yaml: yaml)
        else {
            Issue.record("refused")
            return
        }
        #expect(listen == [.tcp(host: "127.0.0.1", port: 3128)])
        #expect(setup.noProxy == ["a", "b"])
        #expect(setup.java == .none)
        #expect(faults(["env", "--no-proxy", "a|b"]) != nil)
        #expect(faults(["env", "--listen", "127.0.0.1:0"])?.hasPrefix("--proxy: needed") == true)
    }
}

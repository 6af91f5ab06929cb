import Foundation
import Testing

/// Completions in real shells, and the man page before the programs that judge man pages.
@Suite(.timeLimit(.minutes(10)))
struct CompletionTests {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish

        /// What the shell offers for a command line whose last word is not finished.
        func offers(_ line: [String], _ rig: Rig) async throws -> Set<String> {
            let made = try await rig.run(Places.binary, ["completion", rawValue])
            #expect(made.status == .exited(0), "\(made.errors)")
            let script = try rig.write(
                String(decoding: made.output, as: UTF8.self), to: self == .zsh ? "_waf-token-proxy" : "script")
            let result = try await rig.run(
                rawValue, arguments(script, line), environment: ["HOME": rig.folder, "XDG_CONFIG_HOME": rig.folder])
            #expect(result.status == .exited(0), "\(result.errors)")
            let text = String(decoding: result.output, as: UTF8.self)
            // fish prints a description behind a tab.
            return Set(text.split(whereSeparator: \.isNewline).map { String($0.prefix { $0 != "\t" }) })
        }

        private func arguments(_ script: String, _ line: [String]) -> [String] {
            switch self {
            case .bash: ["--norc", Places.support("completions.bash"), script] + line
            case .zsh: ["-f", Places.support("completions.zsh"), script] + line
            case .fish:
                ["--no-config", "-c", "source \(script); complete -C \"$argv\"", "waf-token-proxy"] + line
            }
        }
    }

    @Test("A shell completes commands, flags, words and files", arguments: Shell.allCases)
    func completes(shell: Shell) async throws {
        try await Rig.with { rig in
            #expect(try await shell.offers(["chec"], rig) == ["check"])
            let commands = try await shell.offers([""], rig)
            #expect(commands.isSuperset(of: ["run", "demo", "emulator", "completion", "man", "version"]))
            let flags = try await shell.offers(["run", "--log-"], rig)
            #expect(Set(flags.map(Self.withoutSign)).isSuperset(of: ["--log-level", "--log-format"]))
            #expect(try await shell.offers(["run", "--log-level", "wa"], rig) == ["warning"])
            #expect(try await shell.offers(["token", "re"], rig) == ["refresh"])
            #expect(try await shell.offers(["completion", ""], rig).isSuperset(of: ["bash", "fish", "zsh"]))
            let file = try rig.write("", to: "settings.yaml")
            let files = try await shell.offers(["run", "--config", "\(rig.folder)/sett"], rig)
            #expect(files.count == 1 && files.allSatisfy { file.hasSuffix($0) }, "\(files)")
            #expect(try await shell.offers(["run", "--once"], rig).isEmpty)
            if shell != .bash {  // which does this itself, when it is told to
                #expect(try await shell.offers(["exec", "--", "shellchec"], rig) == ["shellcheck"])
            }
        }
    }

    /// zsh adds the sign that takes the value.
    private static func withoutSign(_ flag: String) -> String { flag.hasSuffix("=") ? String(flag.dropLast()) : flag }

    @Test("bash completes behind an equals sign")
    func equalsSign() async throws {
        try await Rig.with { rig in
            #expect(try await Shell.bash.offers(["run", "--log-level", "=", "wa"], rig) == ["warning"])
            let all = try await Shell.bash.offers(["run", "--log-level", "="], rig)
            #expect(all == ["trace", "debug", "info", "warning", "error"])
        }
    }

    @Test("shellcheck has nothing to say of the script for bash")
    func shellcheck() async throws {
        try await Rig.with { rig in
            let made = try await rig.run(Places.binary, ["completion", "bash"])
            let script = try rig.write(String(decoding: made.output, as: UTF8.self), to: "script")
            let result = try await rig.run("shellcheck", ["--shell=bash", script])
            #expect(result.status == .exited(0), "\(String(decoding: result.output, as: UTF8.self))")
        }
    }

    @Test(
        "The man page has no fault",
        arguments: [
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"], ["mandoc", "-Tlint", "-Wwarning"],
        ])
    func manPage(judge: [String]) async throws {
        try await Rig.with { rig in
            let made = try await rig.run(Places.binary, ["man"])
            let page = try rig.write(String(decoding: made.output, as: UTF8.self), to: "waf-token-proxy.1")
            let result = try await rig.run(judge[0], judge.dropFirst() + [page], environment: ["MANPAGER": "cat"])
            #expect(result.status == .exited(0))
            #expect(result.errors.isEmpty, "\(result.errors)")
            if judge[0] == "mandoc" { #expect(result.output.isEmpty) }
        }
    }
}

import Foundation

extension Rig {
    /// What `exec` needs to stand in front of the emulator: `shop.test` on ports 80 and 443, tokens from its issuer.
    func execOptions(for emulator: Emulator) -> [String] {
        [
            "--host", "shop.test:*", "--token-url", emulator.tokenURL, "--upstream-ca-file", emulator.caFile,
            "--resolve", "shop.test:80=\(emulator.http)", "--resolve", "shop.test:443=\(emulator.https)",
            "--profile", "unrestricted",
        ]
    }

    /// A folder for temporary files that nobody else uses.
    func temporaryFolder() throws -> String {
        let path = folder + "/tmp"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Starts `waf-token-proxy exec`.
    func launchExec(
        _ options: [String], environment: [String: String] = [:], _ program: [String]
    ) throws -> LaunchedProcess {
        try launchBinary("exec", ["exec"] + options + ["--"] + program, environment: environment)
    }

    /// Runs `waf-token-proxy exec` to its end.
    func exec(
        _ options: [String], environment: [String: String] = [:], within limit: Duration = .seconds(60),
        _ program: [String]
    ) async throws -> (status: ExitStatus, output: String, errors: String) {
        let process = try launchExec(options, environment: environment, program)
        let status = try await process.exit(within: limit * Places.patience)
        return (status, process.output.text, process.errors.text)
    }
}

import Foundation

/// A running `Tests/Support/protected_files.py`: `files.test` and `open.test` over TLS, with a folder to fill.
struct ProtectedFiles: Sendable {
    let process: LaunchedProcess
    let address: Address
    /// What it serves.
    let folder: String
    /// Its own certificate, to be trusted as it is.
    let certificate: String

    /// For `exec`: `files.test` gets a token, `open.test` does not.
    func execOptions(tokenFile: String) -> [String] {
        [
            "--host", "files.test", "--token-file", tokenFile, "--upstream-ca-file", certificate, "--resolve",
            "files.test:443=\(address)", "--resolve", "open.test:443=\(address)", "--profile", "unrestricted",
        ]
    }

    /// Whether each request so far had a token.
    func tokens(host: String) -> Set<Bool> {
        Set(process.output.records.filter { $0["host"].string == host }.map { $0["token"].bool ?? false })
    }
}

extension Rig {
    func protectedFiles() async throws -> ProtectedFiles {
        let www = folder + "/www"
        try FileManager.default.createDirectory(atPath: www, withIntermediateDirectories: true)
        let (certificate, key) = (folder + "/files.pem", folder + "/files.key")
        let made = try await run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=files.test", "-addext", "subjectAltName=DNS:files.test,DNS:open.test", "-keyout", key, "-out",
                certificate,
            ])
        guard made.status == .exited(0) else { throw LaunchFailed(description: made.errors) }
        let process = try launch(
            "files", Places.python, ["-u", Places.support("protected_files.py"), www, certificate, key])
        return ProtectedFiles(
            process: process, address: try await process.address("files"), folder: www, certificate: certificate)
    }
}

import Foundation
import Testing

/// One test's processes and files. When the test is over every process has ended, the temporary folder is gone, and
/// every output of every process was searched for tokens and for reports of the sanitizers.
final class Rig: @unchecked Sendable {
    let folder: String
    private let lock = NSLock()
    private var started: [LaunchedProcess] = []
    private var secrets: Set<String> = []

    /// Tokens of the emulator begin with it; none may stand in any output.
    static let emulatedPrefix = "emulated:"

    private init() throws {
        let template = NSTemporaryDirectory() + "waf-token-proxy-XXXXXX"
        var bytes = Array(template.utf8CString)
        guard mkdtemp(&bytes) != nil else { throw LaunchFailed(description: "mkdtemp: errno \(errno)") }
        folder = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    var processes: [LaunchedProcess] { lock.withLock { started } }

    /// `value` must not stand in any output of the processes of the proxy and the emulator.
    func keepSecret(_ value: String) { lock.withLock { _ = secrets.insert(value) } }

    /// What must not be printed, so far.
    var secretsSoFar: Set<String> { lock.withLock { secrets } }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    /// Starts a process that lives until the test is over.
    func launch(
        _ name: String, _ executable: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> LaunchedProcess {
        let merged = Places.environment.merging(environment) { $1 }
        let process = try LaunchedProcess(
            name, executable: executable, arguments: arguments, environment: merged)
        lock.withLock { started.append(process) }
        return process
    }

    /// Starts `waf-token-proxy` with these arguments.
    func launchBinary(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> LaunchedProcess {
        guard FileManager.default.isExecutableFile(atPath: Places.binary) else {
            throw LaunchFailed(description: "no binary at \(Places.binary): build it, or name one in WTP_BINARY")
        }
        return try launch(
            name, Places.binary, arguments,
            environment: environment.merging(["HOME": folder, "XDG_RUNTIME_DIR": folder]) { $1 })
    }

    /// Runs a tool to its end.
    func run(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:],
        within limit: Duration = .seconds(60)
    ) async throws -> (status: ExitStatus, output: Data, errors: String) {
        let name = URL(filePath: executable).lastPathComponent
        let process = try launch(name, executable, arguments, environment: environment)
        let status = try await process.exit(within: limit * Places.patience)
        return (status, process.output.data, process.errors.text)
    }

    private func stopAll() async {
        for process in processes.reversed() { await process.stop() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func inspect(failed: Bool) {
        let secrets = lock.withLock { self.secrets }
        for process in processes {
            let outputs = [process.output.text, process.errors.text]
            for marker in ["WARNING: ThreadSanitizer", "ERROR: AddressSanitizer", "ERROR: LeakSanitizer"]
            where outputs.contains(where: { $0.contains(marker) }) {
                Issue.record("\(process.name): \(marker)\n\(process.errors.text.suffix(8000))")
            }
            guard ["proxy", "emulator", "demo", "exec"].contains(process.name) else { continue }
            for secret in secrets.union([Self.emulatedPrefix])
            where outputs.contains(where: { $0.contains(secret) }) {
                let line = outputs.joined().split(separator: "\n").first { $0.contains(secret) } ?? ""
                Issue.record("\(process.name) printed a token: \(line)")
            }
            if case .signalled(let signal) = process.exitStatus {
                Issue.record("\(process.name) died of signal \(signal):\n\(process.errors.text.suffix(4000))")
            }
            if failed {
                let said = outputs.map { $0.suffix(4000) }.joined(separator: "\n--- stderr\n")
                Issue.record("\(process.name) ended with \(String(describing: process.exitStatus)), said:\n\(said)")
            }
        }
    }

    /// Runs one test with a rig of its own.
    static func with(_ body: (Rig) async throws -> Void) async throws {
        let rig = try Rig()
        var failure: (any Error)?
        do { try await body(rig) } catch { failure = error }
        await rig.stopAll()
        rig.inspect(failed: failure != nil)
        if let failure { throw failure }
    }
}

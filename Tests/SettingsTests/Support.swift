import Foundation

@testable import Settings

/// Files that exist only in a test.
func files(_ contents: [String: String] = [:]) -> FileAccess {
    FileAccess { (path, limit) throws(FileProblem) in
        guard let text = contents[path] else { throw FileProblem(reason: "No such file or directory") }
        guard text.utf8.count <= limit else { throw FileProblem(reason: "more than \(limit) bytes") }
        return Array(text.utf8)
    } exists: { path in
        contents[path] != nil
    }
}

/// Loads settings the way a command does.
func load(
    _ command: Command = .run, _ arguments: [String] = [], _ environment: [String: String] = [:],
    yaml: String? = nil, files more: [String: String] = [:]
) -> SettingsLoader.Result {
    var contents = more
    if let yaml { contents["waf-token-proxy.yaml"] = yaml }
    return SettingsLoader(command: command, environment: environment, files: files(contents))
        .load(flags: FlagReader(arguments, for: command))
}

/// What the program would print for a command line; nil if it would start something.
func printed(
    _ arguments: [String], _ environment: [String: String] = [:], yaml: String? = nil,
    files more: [String: String] = [:]
) -> Invocation.Output? {
    var contents = more
    if let yaml { contents["waf-token-proxy.yaml"] = yaml }
    let invocation = Invocation(arguments: arguments, environment: environment, files: files(contents))
    if case .print(let output) = invocation { return output }
    return nil
}

/// A text as JSON, which is YAML, too.
func json(_ value: Any) -> String {
    let data = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
    return String(decoding: data ?? Data(), as: UTF8.self)
}

extension SettingsLoader.Result {
    /// The value and origin that `check` shows for a key.
    func shown(_ key: String) -> Provenance? {
        provenance.first { $0.key == key }
    }

    var lines: [String] { faults.map(\.description) }
    var provider: ProviderSettings? { root.proxy.providers.first }
}

/// One provider that has no fault.
let goodProvider = ["--host", "shop.test", "--token-url", "http://issuer/token"]

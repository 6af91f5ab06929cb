/// Sorts environment variables into the settings they belong to.
struct VariableReader {
    private(set) var settings: Layer = [:]
    private(set) var provider: Layer = [:]
    private(set) var faults: [Fault] = []

    /// Reads all variables with our prefix and the aliases; an empty one counts as not set. Variables of other
    /// commands' settings are known, but ignored.
    init(_ environment: [String: String], for command: Command) {
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) {
            guard Self.isOurs(name) else { continue }
            if let setting = Declaration.settings.first(where: { $0.answers(to: name) }) {
                if setting.commands.contains(command) { add(setting, name, text, to: \.settings) }
            } else if let setting = Declaration.providerSettings.first(where: { $0.answers(to: name) }) {
                if setting.commands.contains(command) { add(setting, name, text, to: \.provider) }
            } else if !Self.isMadeByKubernetes(name, text) {
                faults.append(.unknown("variable", name, .variable(name), known: Self.known))
            }
        }
    }

    private mutating func add<Root>(
        _ setting: Setting<Root>, _ name: String, _ text: String, to layer: WritableKeyPath<VariableReader, Layer>
    ) {
        guard !text.isEmpty else { return }
        if let other = self[keyPath: layer][setting.key] {
            faults.append(
                Fault(setting.key, .variable(name), "\(other.origin) gives the same setting; use one of them"))
            return
        }
        let namesFile = name == setting.fileVariable
        let node = namesFile ? Node(.scalar(text)) : Node(texts: [text], shape: setting.shape)
        self[keyPath: layer][setting.key] = Given(node: node, origin: .variable(name), namesFile: namesFile)
    }

    private static let aliases = Set(
        Declaration.settings.compactMap(\.alias) + Declaration.providerSettings.compactMap(\.alias))

    /// Whether a variable is read by this program, and so nothing of other programs.
    static func isOurs(_ name: String) -> Bool { name.hasPrefix(Spelling.variablePrefix) || aliases.contains(name) }

    private static var known: [String] {
        Declaration.settings.flatMap(\.variables) + Declaration.providerSettings.flatMap(\.variables)
    }

    /// Kubernetes sets variables for every Service in sight; one that is called like us makes these.
    static func isMadeByKubernetes(_ name: String, _ text: String) -> Bool {
        let words = name.dropFirst(Spelling.variablePrefix.count).split(
            separator: "_", omittingEmptySubsequences: false)
        for (index, word) in words.enumerated() {
            let before = words[..<index]
            let after = Array(words[(index + 1)...])
            if word == "SERVICE" && (after == ["HOST"] || after.first == "PORT") { return true }
            guard word == "PORT" else { continue }
            // Before the port stands nothing for our own name, or the rest of a longer name such as waf-token-proxy-b.
            if after.isEmpty { return before.isEmpty || text.contains("://") }
            let isNumbered = after.count >= 2 && after[0].utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
            if isNumbered && ["TCP", "UDP", "SCTP"].contains(after[1]) && after.count <= 3 { return true }
        }
        return false
    }
}

extension Setting {
    /// Every variable it is read from.
    var variables: [String] {
        [variable] + [fileVariable, alias].compactMap { $0 }
    }

    func answers(to variable: String) -> Bool {
        variable == self.variable || variable == alias || variable == fileVariable
    }
}

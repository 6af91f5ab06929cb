/// Sorts a command's arguments into the settings they belong to.
struct FlagReader {
    private(set) var settings: Layer = [:]
    private(set) var provider: Layer = [:]
    /// Words that are no flags.
    private(set) var operands: [String] = []
    private(set) var faults: [Fault] = []
    private(set) var wantsHelp = false
    private(set) var wantsVersion = false

    private let command: Command
    private var texts: [String: [String]] = [:]

    /// `arguments` are those behind the command's name.
    init(_ arguments: [String], for command: Command) {
        self.command = command
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            } else if argument.hasPrefix("-") && argument != "-" {
                read(argument, &rest)
            } else if command.declaration.runsProgram {
                faults.append(Fault(argument, nil, "unexpected argument; the command to run stands behind --"))
            } else {
                operands.append(argument)
            }
        }
        if !command.declaration.runsProgram, operands.count > command.declaration.operands {
            // What stands behind `token load` may be a token: it is not repeated.
            let surplus = command == .token ? "token" : operands[command.declaration.operands]
            faults.append(Fault(surplus, nil, "unexpected argument; \(command.rawValue) takes flags"))
        }
    }

    private mutating func read(_ argument: String, _ rest: inout ArraySlice<String>) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        if name == "--help" || name == "-h" {
            wantsHelp = true
        } else if name == "--version" || name == "-V" {
            wantsVersion = true
        } else if let setting = Declaration.settings.first(where: { matches($0, name) }) {
            add(setting, name, parts.dropFirst().first, &rest, to: \.settings)
        } else if let setting = Declaration.providerSettings.first(where: { matches($0, name) }) {
            add(setting, name, parts.dropFirst().first, &rest, to: \.provider)
        } else {
            // What follows is most likely its value; it may be a secret and is not looked at.
            if parts.count == 1, let next = rest.first, !next.hasPrefix("-") { rest.removeFirst() }
            faults.append(unknown(name))
        }
    }

    private func unknown(_ name: String) -> Fault {
        let secrets =
            Declaration.settings.filter { $0.isSecret }.map { ("--" + $0.stem, $0.variable, $0.flag) }
            + Declaration.providerSettings.filter { $0.isSecret }.map { ("--" + $0.stem, $0.variable, $0.flag) }
        if let secret = secrets.first(where: { $0.0 == name }) {
            return Fault(
                name, nil,
                "a secret is never given as a flag; use \(secret.1), \(secret.1)_FILE, \(secret.2) or the file")
        }
        return .unknown("flag", name, .flag(name), known: Self.flags(of: command))
    }

    private func matches<Root>(_ setting: Setting<Root>, _ name: String) -> Bool {
        guard setting.commands.contains(command) else { return false }
        return setting.flag == name || (setting.shape == .switch && name == setting.offFlag)
    }

    private mutating func add<Root>(
        _ setting: Setting<Root>, _ name: String, _ inline: String?, _ rest: inout ArraySlice<String>,
        to layer: WritableKeyPath<FlagReader, Layer>
    ) {
        let isRepeatable = !setting.isSecret && setting.shape != .single && setting.shape != .switch
        if self[keyPath: layer][setting.key] != nil && !isRepeatable {
            faults.append(Fault(setting.key, .flag(name), "given twice; must be given once"))
            if inline == nil && setting.shape != .switch { _ = rest.popFirst() }
            return
        }
        let text: String
        if setting.shape == .switch {
            if name != setting.flag && inline != nil {
                faults.append(Fault(setting.key, .flag(name), "takes no value"))
                return
            }
            text = inline ?? (name == setting.flag ? "true" : "false")
        } else if let inline {
            text = inline
        } else if let next = rest.first, !next.hasPrefix("--") {
            text = next
            rest.removeFirst()
        } else {
            faults.append(Fault(setting.key, .flag(name), "needs a value; must be \(setting.allowed)"))
            return
        }
        texts[setting.key, default: []].append(text)
        let node =
            setting.isSecret
            ? Node(.scalar(text)) : Node(texts: texts[setting.key] ?? [], shape: setting.shape)
        self[keyPath: layer][setting.key] = Given(node: node, origin: .flag(setting.flag), namesFile: setting.isSecret)
    }

    /// Every flag a command takes.
    static func flags(of command: Command) -> [String] {
        func names<Root>(_ settings: [Setting<Root>]) -> [String] {
            settings.filter { $0.commands.contains(command) }.flatMap { setting in
                setting.shape == .switch ? [setting.flag, setting.offFlag] : [setting.flag]
            }
        }
        return names(Declaration.settings) + names(Declaration.providerSettings) + ["--help", "--version"]
    }
}

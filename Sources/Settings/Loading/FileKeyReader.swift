/// Sorts the keys of the file into the settings they belong to.
struct FileKeyReader {
    /// One entry of `providers`.
    struct Provider {
        var name: Given?
        var layer: Layer = [:]
        let line: Int
    }

    private(set) var settings: Layer = [:]
    private(set) var providers: [Provider] = []
    private(set) var faults: [Fault] = []
    private let path: String

    init(_ file: ConfigurationFile, for command: Command) {
        path = file.path
        guard case .mapping(let entries) = file.root.content else { return }
        var layer: Layer = [:]
        for entry in entries {
            if entry.key == "providers" {
                readProviders(entry)
            } else {
                read(entry, under: "", shownUnder: "", Declaration.settings, others: ["providers"], into: &layer)
            }
        }
        settings = layer.filter { given in
            Declaration.settings.contains { $0.key == given.key && $0.commands.contains(command) }
        }
    }

    private mutating func readProviders(_ entry: Node.Entry) {
        if entry.value.content == .null { return }
        guard case .list(let nodes) = entry.value.content else {
            let origin = Origin.file(path: path, line: entry.keyLine)
            faults.append(.notAllowed("providers", origin, value: entry.value.shown, allowed: "a list of providers"))
            return
        }
        for (index, node) in nodes.enumerated() {
            let shown = "providers[\(index)]"
            let origin = Origin.file(path: path, line: node.line)
            guard case .mapping(let entries) = node.content else {
                faults.append(.notAllowed(shown, origin, value: node.shown, allowed: "keys with values"))
                continue
            }
            var provider = Provider(line: node.line)
            for entry in entries {
                if entry.key == "name" {
                    provider.name = Given(node: entry.value, origin: .file(path: path, line: entry.keyLine))
                } else {
                    read(
                        entry, under: "", shownUnder: shown + ".", Declaration.providerSettings, others: ["name"],
                        into: &provider.layer)
                }
            }
            providers.append(provider)
        }
    }

    /// One key with what stands under it. `prefix` is where it stands within the tree of `declared`.
    private mutating func read<Root>(
        _ entry: Node.Entry, under prefix: String, shownUnder shownPrefix: String, _ declared: [Setting<Root>],
        others: [String], into layer: inout Layer
    ) {
        let key = prefix + entry.key
        let origin = Origin.file(path: path, line: entry.keyLine)
        if let setting = declared.first(where: { $0.isInFile && $0.key == key }) {
            add(Given(node: entry.value, origin: origin), setting, shownPrefix, to: &layer)
        } else if let setting = declared.first(where: { $0.isSecret && $0.isInFile && $0.key + "File" == key }) {
            add(Given(node: entry.value, origin: origin, namesFile: true), setting, shownPrefix, to: &layer)
        } else if declared.contains(where: { $0.isInFile && $0.key.hasPrefix(key + ".") }) {
            switch entry.value.content {
            case .null: return
            case .mapping(let entries):
                for entry in entries {
                    read(entry, under: key + ".", shownUnder: shownPrefix, declared, others: [], into: &layer)
                }
            case .scalar, .list:
                faults.append(
                    .notAllowed(shownPrefix + key, origin, value: entry.value.shown, allowed: "keys with values"))
            }
        } else {
            let known = Self.names(under: prefix, declared) + others
            let elsewhere = declared.first { $0.isInFile && $0.key.hasSuffix("." + entry.key) }?.key
            let nearest = elsewhere ?? Nearest.name(to: entry.key, among: known).map { prefix + $0 }
            let hint = nearest.map { "; the nearest is \($0)" } ?? ""
            faults.append(Fault(shownPrefix + key, origin, "unknown key" + hint))
        }
    }

    private mutating func add<Root>(
        _ given: Given, _ setting: Setting<Root>, _ shownPrefix: String, to layer: inout Layer
    ) {
        if given.namesFile && given.node.content == .null { return }
        if let other = layer[setting.key] {
            let problem = "\(other.origin) gives the same setting; use one of them"
            faults.append(Fault(shownPrefix + setting.key, given.origin, problem))
            return
        }
        layer[setting.key] = given
    }

    /// The words that may stand under `prefix`.
    private static func names<Root>(under prefix: String, _ declared: [Setting<Root>]) -> [String] {
        var names: [String] = []
        for setting in declared where setting.isInFile && setting.key.hasPrefix(prefix) {
            let rest = setting.key.dropFirst(prefix.count)
            let name = String(rest.prefix { $0 != "." })
            if !names.contains(name) { names.append(name) }
            if setting.isSecret && name == rest { names.append(name + "File") }
        }
        return names
    }
}

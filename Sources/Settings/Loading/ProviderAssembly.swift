/// Puts the list of providers together: those of the file, and the one that flags and variables describe.
struct ProviderAssembly {
    let flags: Layer
    let variables: Layer
    let file: FileKeyReader?
    /// Whether a provider without a token source is at fault: not where nothing but its hosts is asked for.
    let needsSources: Bool

    private struct Part {
        var name: String
        var layers: [Layer]
        var origin: Origin?
    }

    func add(to result: inout SettingsLoader.Result, filePath: String, reader: inout ValueReader) {
        var parts = fileParts(filePath, &result.faults)
        if !flags.isEmpty || !variables.isEmpty {
            if let index = parts.firstIndex(where: { $0.name == "default" }) {
                parts[index].layers = [flags, variables] + parts[index].layers
            } else {
                let given = flags.isEmpty ? variables : flags
                let first = given.values.min { $0.origin.description < $1.origin.description }
                parts.insert(Part(name: "default", layers: [flags, variables], origin: first?.origin), at: 0)
            }
        }
        for part in parts {
            var builder = ProviderBuilder(
                name: part.name, layers: part.layers, origin: part.origin, needsSource: needsSources)
            let built = builder.build(name: part.name, reader: &reader)
            result.root.proxy.providers.append(built.settings)
            result.provenance += built.provenance
            result.faults += built.faults
        }
    }

    /// The providers of the file, with names that are unique from here on.
    private func fileParts(_ path: String, _ faults: inout [Fault]) -> [Part] {
        var names: Set<String> = []
        return (file?.providers ?? []).enumerated().map { index, provider in
            let origin = Origin.file(path: path, line: provider.line)
            var part = Part(name: "[\(index)]", layers: [provider.layer], origin: origin)
            guard let given = provider.name else {
                if index == 0 {
                    part.name = "default"
                } else {
                    faults.append(Fault("providers[\(index)].name", origin, "missing; only the first may go without"))
                }
                names.insert(part.name)
                return part
            }
            var problems: [ValueProblem] = []
            guard let name = Declaration.providerName.parse(given.node, &problems) else {
                let allowed = Declaration.providerName.allowed
                faults += problems.map {
                    .notAllowed("providers[\(index)].name", given.origin, value: $0.value, allowed: allowed)
                }
                return part
            }
            if names.insert(name).inserted {
                part.name = name
            } else {
                faults.append(
                    Fault("providers[\(index)].name", given.origin, "\"\(name)\" is the name of another provider"))
            }
            return part
        }
    }
}

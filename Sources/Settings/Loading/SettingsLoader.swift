import Telemetry

/// Brings flags, variables, file and defaults together: everything is read, every fault is found, nothing is guessed.
struct SettingsLoader {
    let command: Command
    let environment: [String: String]
    let files: FileAccess

    /// What came out. The settings are whole only when there is no fault.
    struct Result: Sendable {
        var root = SettingsRoot()
        var provenance: [Provenance] = []
        var faults: [Fault] = []
        var warnings: [String] = []
        /// The file that was read, as it is shown.
        var file: String?
    }

    func load(flags: FlagReader) -> Result {
        var result = Result()
        // The command's own output is not to be lost among ours.
        if command == .exec { result.root.proxy.log.level = .warning }
        let variables = VariableReader(environment, for: command)
        result.faults = flags.faults + variables.faults

        var file: FileKeyReader?
        do throws(Fault) {
            if let read = try readFile(flags.settings["config"] ?? variables.settings["config"]) {
                let keys = FileKeyReader(read, for: command)
                result.file = read.path
                result.faults += keys.faults
                file = keys
            }
        } catch {
            result.faults.append(error)
        }

        var reader = ValueReader(environment: environment, files: files)
        let layers = [flags.settings, variables.settings, file?.settings ?? [:]]
        let relevant = Declaration.settings.filter { $0.commands.contains(command) }
        let origins = reader.read(relevant, from: layers, into: &result.root)
        if command.usesProviders {
            let assembly = ProviderAssembly(
                flags: flags.provider, variables: variables.provider, file: file, needsSources: command != .ca)
            assembly.add(to: &result, filePath: result.file ?? "", reader: &reader)
        }
        result.faults += reader.faults
        if command.usesProviders {
            CrossChecks(origins: origins, files: files, environment: environment).check(&result)
        }
        let shown = relevant.map { setting in
            Provenance(
                key: setting.key,
                value: setting.key == "config" ? Escaper.escape(result.file ?? "none") : setting.show(result.root),
                origin: origins[setting.key] ?? .defaultValue)
        }
        result.provenance = shown + result.provenance
        return result
    }

    private func readFile(_ named: Given?) throws(Fault) -> ConfigurationFile? {
        guard command.declaration.readsFile else { return nil }
        if let named, case .scalar(let path) = named.node.content {
            return try ConfigurationFile.read(path: path, origin: named.origin, files: files)
        }
        guard let found = ConfigurationFile.find(environment: environment, files: files) else { return nil }
        return try ConfigurationFile.read(path: found, origin: nil, files: files)
    }
}

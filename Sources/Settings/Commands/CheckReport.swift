/// What `check` prints: on standard output every value and where it came from, on standard error one line a fault.
enum CheckReport {
    static func output(_ result: SettingsLoader.Result) -> Invocation.Output {
        var output = Invocation.Output(standardOutput: table(result.provenance))
        output.standardError = result.faults.map { "\($0)\n" }.joined()
        output.standardError += result.warnings.map { "warning: \($0)\n" }.joined()
        if result.faults.isEmpty {
            output.standardOutput += "ok: \(result.root.proxy.providers.count) provider(s), no faults\n"
        } else {
            output.standardOutput += "\(result.faults.count) fault(s)\n"
            output.exitCode = .usage
        }
        return output
    }

    /// Key, value and origin in columns.
    static func table(_ provenance: [Provenance]) -> String {
        let keyWidth = provenance.map(\.key.utf8.count).max() ?? 0
        let valueWidth = min(40, provenance.map(\.value.utf8.count).max() ?? 0)
        return provenance.map { entry in
            HelpText.padded(entry.key, keyWidth) + "  " + HelpText.padded(entry.value, valueWidth)
                + "  \(entry.origin)\n"
        }.joined()
    }
}

/// The table of all settings in Markdown, for the README.
public enum Reference {
    /// Sections with one table each, ending in a line end. `help settings` prints it.
    public static var markdown: String {
        section(
            "Provider (a list under `providers`; flags and variables describe the one named `default`)",
            rows: [
                "| `name` | | | \(Declaration.providerName.allowed) | `default` for the first | Unique name. |\n"
            ] + Declaration.providerSettings.map(row))
            + section("Proxy", rows: Declaration.settings.filter { $0.commands.contains(.run) }.map(row))
            + section("Emulator", rows: Declaration.settings.filter { $0.commands == [.emulator] }.map(row))
            + section("Demo", rows: Declaration.settings.filter { $0.commands == [.demo] }.map(row))
            + section("`check`, `ready`, `token` and `ca`", rows: Declaration.client.map(row))
            + section("`exec` and `env`", rows: Declaration.clientSetup.map(row))
    }

    private static func section(_ title: String, rows: [String]) -> String {
        """
        #### \(title)

        | key | flag | variable | takes | default | meaning |
        |---|---|---|---|---|---|
        \(rows.joined())

        """
    }

    private static func row<Root>(_ setting: Setting<Root>) -> String {
        var key = setting.isInFile ? "`\(setting.key)`" : ""
        if setting.isSecret { key += ", `\(setting.key)File`" }
        var flag = "`\(setting.flag)`"
        if setting.shape == .switch { flag += ", `\(setting.offFlag)`" }
        let variables = setting.variables.map { "`\($0)`" }.joined(separator: ", ")
        let cells = [key, flag, variables, setting.allowed, setting.defaultText, setting.help]
        return "| " + cells.map(escaped).joined(separator: " | ") + " |\n"
    }

    /// A bar would end the cell.
    private static func escaped(_ cell: String) -> String {
        cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}

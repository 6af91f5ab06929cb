/// The texts of `--help`, made from the declarations of commands and settings.
enum HelpText {
    /// All commands.
    static var overview: String {
        let width = Command.allCases.map(\.rawValue.count).max() ?? 0
        let commands = Command.allCases.map { "  \(padded($0.rawValue, width))  \($0.declaration.help)\n" }.joined()
        return """
            A forward proxy for test rigs that keeps an AWS WAF token fresh and adds it for the hosts you list.

            Usage: \(Product.name) COMMAND [options]

            \(commands)
            `\(Product.name) help COMMAND` explains one, `\(Product.name) help settings` lists every setting.

            """
    }

    /// One command with all its options.
    static func text(for command: Command) -> String {
        let declaration = command.declaration
        let synopsis = declaration.synopsis.isEmpty ? "" : " " + declaration.synopsis
        var text = "Usage: \(Product.name) \(command.rawValue)\(synopsis)\n\n\(declaration.help)\n"
        let general = options(Declaration.settings, of: command)
        let provider = options(Declaration.providerSettings, of: command)
        if !provider.isEmpty { text += "\nThe provider `default` (further ones stand in the file):\n" + provider }
        if !general.isEmpty { text += provider.isEmpty ? "\n" : "\nThe proxy:\n" }
        text += general
        if !general.isEmpty {
            text += "\nEach has an environment variable as well, which the flag beats:\n"
            text += "--some-option is \(Spelling.variablePrefix)SOME_OPTION"
            text += declaration.readsFile ? "; both beat the file.\n" : ".\n"
        }
        return text
    }

    private static func options<Root>(_ settings: [Setting<Root>], of command: Command) -> String {
        settings.filter { $0.commands.contains(command) }.map { option($0) }.joined()
    }

    /// A flag with its value, and under it what it does, what it takes and what it is without.
    private static func option<Root>(_ setting: Setting<Root>) -> String {
        let value: String
        switch setting.shape {
        case .switch: value = ", \(setting.offFlag)"
        case _ where setting.isSecret: value = " FILE"
        default: value = " " + setting.placeholder
        }
        var words = setting.help
        if setting.isSecret {
            words +=
                " A secret: in a file, or in \(([setting.variable] + [setting.alias].compactMap { $0 }).joined(separator: " or "))."
        } else if setting.shape != .switch && !setting.placeholder.contains("|") {
            words += " Takes \(setting.allowed)."
        }
        if !setting.defaultText.isEmpty { words += " Default: \(setting.defaultText)." }
        return "  \(setting.flag)\(value)\n" + wrapped(words, indent: 10, width: 100)
    }

    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.utf8.count))
    }

    /// Lines of at most `width` columns, each after `indent` blanks.
    static func wrapped(_ text: String, indent: Int, width: Int) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty && indent + line.utf8.count + 1 + word.utf8.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? "\(word)" : " \(word)"
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { String(repeating: " ", count: indent) + $0 + "\n" }.joined()
    }
}

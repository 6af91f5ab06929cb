/// A setting as completions and the man page show it, without its type.
struct OptionEntry: Sendable {
    /// What may stand behind a flag.
    enum Value: Sendable, Equatable {
        /// Nothing: a switch.
        case none
        /// One of these.
        case words([String])
        case file
        /// Nobody can guess it.
        case text
    }

    /// `--explain`
    let flag: String
    /// `--no-explain`, of a switch.
    let negation: String?
    let value: Value
    /// `ADDRESS:PORT`, empty for a switch.
    let placeholder: String
    /// Whether the flag may be given several times.
    let isRepeatable: Bool
    /// One sentence.
    let help: String
    /// Completes "Takes …".
    let allowed: String
    /// Empty: there is none.
    let defaultText: String
    /// Environment variables that say the same, the first is its own.
    let variables: [String]
    /// Key in the configuration file; nil if it has none.
    let key: String?
    let commands: Set<Command>

    init<Root>(_ setting: Setting<Root>) {
        flag = setting.flag
        negation = setting.shape == .switch ? setting.offFlag : nil
        placeholder = setting.shape == .switch ? "" : setting.isSecret ? "FILE" : setting.placeholder
        value = Self.value(of: setting)
        isRepeatable = !setting.isSecret && setting.shape != .single && setting.shape != .switch
        help = setting.help
        allowed = setting.isSecret ? "the path of a file that holds the secret" : setting.allowed
        defaultText = setting.defaultText
        variables = setting.variables
        key = setting.isInFile ? setting.key : nil
        commands = setting.commands
    }

    /// Those of a provider first, as in `--help`.
    static let all = Declaration.providerSettings.map(OptionEntry.init) + Declaration.settings.map(OptionEntry.init)

    static func of(_ command: Command) -> [OptionEntry] {
        all.filter { $0.commands.contains(command) }
    }

    private static func value<Root>(of setting: Setting<Root>) -> Value {
        if setting.shape == .switch { return .none }
        if setting.isSecret || ["FILE", "DIR"].contains(setting.placeholder) { return .file }
        let words = setting.placeholder.split(separator: ",")[0].split(separator: "|").map(String.init)
        return words.count > 1 ? .words(words) : .text
    }
}

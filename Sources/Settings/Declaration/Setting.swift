import Telemetry

/// One entry of the declaration: everything that is known of one setting.
///
/// `Root` is the tree it is stored in; its default is what a fresh `Root` holds.
struct Setting<Root: SettingsTree>: Sendable {
    /// `challenge.replayBufferBytes`; inside a provider `source.url`.
    let key: String
    /// `replay-buffer-bytes`: its flag is `--replay-buffer-bytes`, its variable `WAF_TOKEN_PROXY_REPLAY_BUFFER_BYTES`.
    let stem: String
    /// For a switch: the flag that turns it off, `--no-listen` unless the declaration has a name for it.
    let offFlag: String
    /// Comes before the stem in the variable, for commands that share flag names.
    let variablePrefix: String
    /// Another variable that is read too.
    let alias: String?
    /// A secret has no flag that takes its value; flag, variable and key with `file` behind them name a file with it.
    let isSecret: Bool
    /// Whether the file may hold it.
    let isInFile: Bool
    let shape: ValueShape
    let placeholder: String
    let allowed: String
    let examples: [String]
    let defaultText: String
    /// One sentence.
    let help: String
    let commands: Set<Command>
    /// Reads a value into the tree, or says what is wrong with it.
    let store: @Sendable (Node, inout Root, inout [ValueProblem]) -> Void
    /// The tree's value as one line.
    let show: @Sendable (Root) -> String
    /// A refused text as it may be shown; nil for a secret.
    let mask: @Sendable (String) -> String?

    init<Value: Sendable>(
        _ key: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ type: SettingType<Value>,
        stem: String? = nil, off: String? = nil, variablePrefix: String = "", alias: String? = nil,
        isSecret: Bool = false, isInFile: Bool = true, defaultText: String? = nil,
        commands: Set<Command> = Command.likeRun.union([.exec]), _ help: String
    ) {
        self.key = key
        self.stem = stem ?? Spelling.kebab(key)
        self.offFlag = "--" + (off ?? "no-" + self.stem)
        self.variablePrefix = variablePrefix
        self.alias = alias
        self.isSecret = isSecret
        self.isInFile = isInFile
        self.shape = type.shape
        self.placeholder = type.placeholder
        self.allowed = type.allowed
        self.examples = type.examples
        self.defaultText = defaultText ?? type.show(Root()[keyPath: path])
        self.help = help
        self.commands = commands.contains(.run) ? commands.union(Command.likeRun) : commands
        self.store = { node, root, problems in
            if let value = type.parse(node, &problems) { root[keyPath: path] = value }
        }
        self.show = { type.show($0[keyPath: path]) }
        self.mask = { isSecret ? nil : type.mask($0) }
    }

    /// `--listen`, or for a secret the flag that names a file with it.
    var flag: String { "--" + stem + (isSecret ? "-file" : "") }

    /// `WAF_TOKEN_PROXY_LISTEN`
    var variable: String { Spelling.variablePrefix + Spelling.upperSnake(variablePrefix + stem) }

    /// `WAF_TOKEN_PROXY_TOKEN_VALUE_FILE`, for a secret.
    var fileVariable: String? { isSecret ? variable + "_FILE" : nil }
}

/// A tree that settings are stored in; a fresh one holds the defaults.
protocol SettingsTree: Sendable {
    init()
}

/// How the three spellings of a name are made from one.
enum Spelling {
    static let variablePrefix = "WAF_TOKEN_PROXY_"

    /// The last part of a key with dashes: `replayBufferBytes` is `replay-buffer-bytes`, `upgradeToTLS` `upgrade-to-tls`.
    static func kebab(_ key: String) -> String {
        let name = Array((key.split(separator: ".").last ?? "").utf8)
        func isUpper(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }
        var result: [UInt8] = []
        for (index, byte) in name.enumerated() {
            let isStart =
                isUpper(byte) && index > 0
                && (!isUpper(name[index - 1])
                    || (index + 1 < name.count && !isUpper(name[index + 1])))
            if isStart { result.append(UInt8(ascii: "-")) }
            result.append(isUpper(byte) ? byte + 0x20 : byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func upperSnake(_ stem: String) -> String {
        let bytes = stem.utf8.map { byte in
            byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The one declaration of every setting. Flags, variables, keys of the file, `--help`, the reference and the tests are
/// made from it; adding a setting is adding an entry.
enum Declaration {
    /// All settings outside of providers.
    static let settings: [Setting<SettingsRoot>] =
        [
            Setting(
                "config", \.config, SettingType.filePath.optional(), isInFile: false,
                defaultText: "the first of " + ConfigurationFile.searched.joined(separator: ", "),
                commands: [.run, .check, .exec, .env, .emulator, .ready, .token],
                "The configuration file (YAML or JSON).")
        ] + proxy + log + emulator + demo + client + clientSetup

    /// The settings of a provider; flags and variables describe the one named `default`.
    static let providerSettings = provider + source

    /// The name of a provider: part of metric labels and of the admin API's paths.
    static let providerName = SettingType.string(
        "a name of letters, digits, - _ and ., at most 64", placeholder: "NAME", examples: ["shop", "a.b", "x_1"]
    ) { text in
        text.utf8.count <= 64 && !text.isEmpty
            && text.utf8.allSatisfy { byte in
                let letter = byte | 0x20
                return (letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z"))
                    || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || "-_.".utf8.contains(byte)
            }
    }
}

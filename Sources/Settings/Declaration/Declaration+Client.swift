extension Declaration {
    /// What commands ask a running proxy, or of the settings and what is kept.
    static let client: [Setting<SettingsRoot>] = [
        Setting(
            "client.admin", \.client.admin, SettingType.adminTarget.optional(), stem: "admin", isInFile: false,
            defaultText: "admin.listen", commands: [.ready, .token, .env],
            "The admin listener of the running proxy; env asks there only where this is given."),
        Setting(
            "ready.wait", \.client.waitSec, .integer(0...3600, unit: "seconds"), variablePrefix: "ready-",
            isInFile: false, commands: [.ready], "How long to wait until it is ready."),
        Setting(
            "ready.for", \.client.conditions, .list(of: .choice, atLeast: 1), variablePrefix: "ready-",
            isInFile: false, commands: [.ready], "What has to be ready."),
        Setting(
            "token.provider", \.client.provider, providerName.optional(), variablePrefix: "token-", isInFile: false,
            defaultText: "the only one", commands: [.token], "The provider that is meant."),
        Setting(
            "token.reveal", \.client.reveal, .bool, variablePrefix: "token-", isInFile: false, commands: [.token],
            "get: prints the token itself."),
        Setting(
            "token.tokenFile", \.client.tokenFile, SettingType.filePath.optional(), variablePrefix: "load-",
            isInFile: false, defaultText: "standard input", commands: [.token],
            "load: the file that holds the token."),
        Setting(
            "token.expiresIn", \.client.expiresInSec,
            SettingType.integer(1...31_536_000, unit: "seconds").optional(), variablePrefix: "load-", isInFile: false,
            defaultText: "immunityTimeSec", commands: [.token], "load: how long the token is good."),
        Setting(
            "check.url", \.client.url, SettingType.url.optional(), variablePrefix: "check-", isInFile: false,
            defaultText: "", commands: [.check], "Explains what would become of a request for this URL."),
        Setting(
            "ca.out", \.ca.out, SettingType.filePath.optional(), variablePrefix: "ca-", isInFile: false,
            defaultText: "standard output", commands: [.ca], "export: the file that is written."),
    ]
}

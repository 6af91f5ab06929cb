extension Declaration {
    /// How clients are told of the proxy.
    static let clientSetup: [Setting<SettingsRoot>] = [
        Setting(
            "client.proxy", \.clientSetup.proxy, SettingType.authority.optional(), variablePrefix: "client-",
            isInFile: false, defaultText: "the first of listen", commands: [.env, .ca],
            "Where clients reach the proxy; what is set already is kept where it can be extended."),
        Setting(
            "client.trustKit", \.clientSetup.trustKit, SettingType.filePath.optional(), variablePrefix: "client-",
            isInFile: false, defaultText: "none for env: clients are told of the proxy alone; for ca the folder itself",
            commands: [.env, .ca],
            "The folder that `ca trust-kit` has filled, as clients see it: the paths are those of its files."),
        Setting(
            "client.noProxy", \.clientSetup.noProxy, .list(of: .bypass), variablePrefix: "client-", isInFile: false,
            commands: [.exec, .env, .ca],
            "What clients reach without the proxy, besides what no_proxy and NO_PROXY hold."),
        Setting(
            "client.java", \.clientSetup.java, .choice, variablePrefix: "client-", isInFile: false,
            commands: [.exec, .env, .ca], "The variable by which Java is told."),
        Setting(
            "env.format", \.clientSetup.format, .choice, variablePrefix: "env-", isInFile: false, commands: [.env],
            "How variables are written."),
        Setting(
            "exec.failOnUnresolvedChallenge", \.clientSetup.failOnUnresolvedChallenge, .bool,
            variablePrefix: "exec-", isInFile: false, commands: [.exec],
            "Ends with status 1 if the command ended with 0, but a challenge stayed unresolved."),
    ]
}

extension SettingType where Value == String {
    /// An entry of `NO_PROXY`.
    static var bypass: SettingType {
        .string(
            "a host name, an IP address, a network such as 10.0.0.0/8, or *", placeholder: "HOST",
            examples: ["localhost", "10.0.0.0/8", ".shop.test"]
        ) { text in
            !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !",|\"'".utf8.contains($0) }
        }
    }
}

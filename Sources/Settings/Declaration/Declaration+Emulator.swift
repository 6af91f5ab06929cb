extension Declaration {
    static let emulator: [Setting<SettingsRoot>] = [
        Setting(
            "emulator.listen", \.emulator.listen, .tcpAddress, variablePrefix: "emulator-", commands: [.emulator],
            "The protected origin over HTTP; port 0 picks a free one."),
        Setting(
            "emulator.listenHTTPS", \.emulator.listenHTTPS, .tcpAddress, variablePrefix: "emulator-",
            commands: [.emulator], "The protected origin over HTTPS."),
        Setting(
            "emulator.issuer", \.emulator.issuer, .tcpAddress, variablePrefix: "emulator-", commands: [.emulator],
            "The token issuer."),
        Setting(
            "emulator.control", \.emulator.control, .tcpAddress, variablePrefix: "emulator-", commands: [.emulator],
            "The control port."),
        Setting(
            "emulator.domains", \.emulator.domains, .list(of: .hostName), stem: "domain", variablePrefix: "emulator-",
            commands: [.emulator], "Token domains; none means that a token is for its exact host."),
        Setting(
            "emulator.immunitySec", \.emulator.immunitySec, .integer(0...259_200, unit: "seconds"),
            variablePrefix: "emulator-", commands: [.emulator], "Age after which a token is expired."),
        Setting(
            "emulator.caFile", \.emulator.caFile, SettingType.filePath.optional(), variablePrefix: "emulator-",
            defaultText: "a temporary file", commands: [.emulator],
            "Where the throw-away authority's certificate is written."),
    ]

    static let demo: [Setting<SettingsRoot>] = [
        Setting(
            "demo.once", \.demo.once, .bool, variablePrefix: "demo-", isInFile: false, commands: [.demo],
            "Makes the requests itself, shows what happened and ends."),
        Setting(
            "demo.listen", \.demo.listen, .tcpAddress, variablePrefix: "demo-", isInFile: false, commands: [.demo],
            "Where the proxy listens."),
    ]
}

extension Declaration {
    /// Interception of TLS and its authority.
    static let intercept: [Setting<SettingsRoot>] = [
        Setting(
            "intercept.caDirectory", \.proxy.intercept.caDirectory, SettingType.directoryPath.optional(),
            defaultText: "$XDG_DATA_HOME/waf-token-proxy", "Where the certificate authority is kept."),
        Setting(
            "intercept.ephemeralCA", \.proxy.intercept.ephemeralCA, .bool, stem: "ca-ephemeral",
            "Makes an authority that lives in memory alone."),
        Setting(
            "intercept.caCertificate", \.proxy.intercept.caCertificate, SettingType.filePath.optional(),
            "PEM file of an authority of yours: the certificate that signs, then its issuers."),
        Setting(
            "intercept.caKey", \.proxy.intercept.caKey, SettingType.filePath.optional(),
            "PEM file of the key of caCertificate."),
        Setting(
            "intercept.nameConstraints", \.proxy.intercept.nameConstraints, .bool, off: "ca-unconstrained",
            "Whether the authority may sign for the listed hosts alone."),
        Setting(
            "intercept.leafValidityDays", \.proxy.intercept.leafValidityDays, .integer(1...45, unit: "days"),
            "How long a host's certificate is valid; with leafBackdateHours 45 days at most."),
        Setting(
            "intercept.leafBackdateHours", \.proxy.intercept.leafBackdateHours, .integer(0...1056, unit: "hours"),
            "How far back its validity begins, for clients whose clock is behind."),
        Setting(
            "intercept.minimumTLS", \.proxy.intercept.minimumTLS, .choice,
            "The least version of TLS that intercepted clients may speak."),
    ]
}

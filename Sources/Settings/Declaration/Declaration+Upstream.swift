extension Declaration {
    /// How origins are reached.
    static let upstream: [Setting<SettingsRoot>] = [
        Setting(
            "upstream.caFile", \.proxy.upstream.caFile, SettingType.filePath.optional(), stem: "upstream-ca-file",
            "PEM file of authorities to trust besides the system's."),
        Setting(
            "upstream.verify", \.proxy.upstream.verify, .bool, stem: "upstream-verify",
            "Whether origins' certificates are verified."),
        Setting(
            "upstream.insecureHosts", \.proxy.upstream.insecureHosts, .list(of: .hostPattern),
            "Hosts whose certificate is not verified."),
        Setting(
            "upstream.clientCertificates", \.proxy.upstream.clientCertificates, .list(of: .clientCertificate),
            "Certificates that are shown to these hosts as the client's."),
        Setting(
            "upstream.resolve", \.proxy.upstream.resolve, .resolve,
            "Dials another address and port; name, SNI and Host stay."),
        Setting(
            "upstream.parentProxy", \.proxy.upstream.parentProxy, SettingType.parentProxy.optional(),
            "A proxy that everything goes through; with user:password@ only in variable and file."),
        Setting(
            "upstream.parentProxyUser", \.proxy.upstream.parentProxyUser, SettingType.parentUser.optional(),
            "Who we are to the parent proxy."),
        Setting(
            "upstream.parentProxyPassword", \.proxy.upstream.parentProxyPassword, .parentPassword, isSecret: true,
            "The password for the parent proxy."),
        Setting(
            "upstream.noParentFor", \.proxy.upstream.noParentFor, .list(of: .destination),
            "Hosts (on every port, unless one is named) and networks that are reached without the parent proxy."),
        Setting(
            "upstream.parentFromEnvironment", \.proxy.upstream.parentFromEnvironment, .bool,
            "Takes the parent from http_proxy, https_proxy, all_proxy and no_proxy, read as curl does."),
        Setting(
            "upstream.connectTimeoutMsec", \.proxy.upstream.connectTimeoutMsec,
            .integer(1...600_000, unit: "milliseconds"), "Bound on look-up, connection and TLS together."),
        Setting(
            "upstream.responseHeadTimeoutMsec", \.proxy.upstream.responseHeadTimeoutMsec,
            .integer(1...3_600_000, unit: "milliseconds"), "Bound from the last request byte to the response head."),
        Setting(
            "upstream.idlePoolSec", \.proxy.upstream.idlePoolSec, .integer(0...3600, unit: "seconds"),
            "How long an idle connection to an origin is kept."),
        Setting(
            "upstream.dnsCacheSec", \.proxy.upstream.dnsCacheSec, .integer(0...86_400, unit: "seconds"),
            "How long a looked-up address is kept."),
    ]
}

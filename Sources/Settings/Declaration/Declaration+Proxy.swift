import Telemetry

private let megabyte = 1_048_576

extension Declaration {
    static let proxy: [Setting<SettingsRoot>] =
        [
            Setting(
                "listen", \.proxy.listen, .list(of: .tcpAddress, atLeast: 1), commands: [.run, .check, .env],
                "Where clients connect to; port 0 picks a free one."),
            Setting("threads", \.proxy.threads, .integer(0...256), "Event loops; 0 is one per core."),
            Setting(
                "admin.listen", \.proxy.admin.listen, SettingType.adminAddress.optional(shownAs: "none"),
                stem: "admin-listen", commands: [.run, .check, .ready, .token],
                "The listener for operators, an address or a unix socket."),
            Setting(
                "admin.token", \.proxy.admin.token, .cookieOctets, stem: "admin-token", isSecret: true,
                defaultText: "made at start", commands: [.run, .check, .ready, .token],
                "The bearer token for the admin API's writes."),
        ] + challenge + intercept + upstream + access + limits + [
            Setting("via", \.proxy.via, .bool, "Adds a Via field; some origins stop compressing when they see one."),
            Setting(
                "explain", \.proxy.explain, .bool, "Adds x-waf-token-proxy to responses, which says what was done."),
            Setting(
                "flows.keep", \.proxy.flows.keep, .integer(0...100_000), stem: "flows-keep",
                "How many of the last requests operators can look at (/v1/flows)."),
            Setting(
                "flows.bodyBytes", \.proxy.flows.bodyBytes, .integer(0...65_536), stem: "flows-body-bytes",
                "How much of each body is kept and shown in /v1/flows.har."),
        ]

    private static let challenge: [Setting<SettingsRoot>] = [
        Setting(
            "challenge.maxReplays", \.proxy.challenge.maxReplays, .integer(0...1),
            "How often a challenged request is sent again with a newer token."),
        Setting(
            "challenge.replayBufferBytes", \.proxy.challenge.replayBufferBytes, .integer(0...1024 * megabyte),
            "How much of one request's body is kept for that."),
        Setting(
            "challenge.replayBufferTotalBytes", \.proxy.challenge.replayBufferTotalBytes,
            .integer(0...65_536 * megabyte), "How much is kept for all requests together."),
        Setting(
            "challenge.onUnresolved", \.proxy.challenge.onUnresolved, .choice, stem: "on-unresolved-challenge",
            "What the client gets when a challenge stays: the challenge (pass) or a 502 (error)."),
    ]

    private static let access: [Setting<SettingsRoot>] = [
        Setting(
            "access.allowFrom", \.proxy.access.allowFrom, .list(of: .network),
            "Client addresses that may use the proxy."),
        Setting(
            "access.proxyUsersFile", \.proxy.access.proxyUsersFile, SettingType.filePath.optional(),
            "File with lines NAME:HASH, as htpasswd -B writes them; then clients need a name and a password."),
        Setting(
            "access.allowDestinations", \.proxy.access.allowDestinations, .list(of: .destination),
            "Destinations allowed although a general rule refuses them."),
        Setting(
            "access.denyDestinations", \.proxy.access.denyDestinations, .list(of: .destination),
            "Destinations that are refused."),
        Setting(
            "access.allowPrivateNetworks", \.proxy.access.allowPrivateNetworks, .bool,
            "Whether private addresses may be dialled."),
    ]

    private static let limits: [Setting<SettingsRoot>] = [
        Setting(
            "limits.headBytes", \.proxy.limits.headBytes, .integer(1024...16 * megabyte), "Size of a request head."),
        Setting("limits.headFields", \.proxy.limits.headFields, .integer(1...10_000), "Fields of a request head."),
        Setting(
            "limits.headSec", \.proxy.limits.headSec, .integer(1...3600, unit: "seconds"),
            "Time for a request head to arrive."),
        Setting(
            "limits.responseHeadBytes", \.proxy.limits.responseHeadBytes, .integer(1024...16 * megabyte),
            "Size of a response head."),
        Setting(
            "limits.connections", \.proxy.limits.connections, .integer(1...1_000_000), "Client connections at once."),
        Setting("limits.tunnels", \.proxy.limits.tunnels, .integer(1...1_000_000), "Tunnels at once."),
        Setting(
            "limits.idleClientSec", \.proxy.limits.idleClientSec, .integer(1...86_400, unit: "seconds"),
            "Rest of a client connection between requests."),
        Setting(
            "limits.tunnelIdleSec", \.proxy.limits.tunnelIdleSec, .integer(1...604_800, unit: "seconds"),
            "Rest of a tunnel."),
        Setting(
            "limits.halfCloseSec", \.proxy.limits.halfCloseSec, .integer(1...86_400, unit: "seconds"),
            "Rest of a tunnel after one side ended."),
        Setting(
            "limits.drainSec", \.proxy.limits.drainSec, .integer(0...3600, unit: "seconds"),
            "Time for running requests at shutdown."),
    ]

    static let log: [Setting<SettingsRoot>] = [
        Setting(
            "log.level", \.proxy.log.level, .logLevel, stem: "log-level",
            commands: [.run, .check, .exec, .demo, .emulator],
            "The least level that is written."),
        Setting(
            "log.format", \.proxy.log.format, .choice, stem: "log-format",
            commands: [.run, .check, .exec, .demo, .emulator],
            "How lines look; auto is text on a terminal, JSON elsewhere."),
        Setting(
            "log.access", \.proxy.log.access, .bool, stem: "log-access", commands: [.run, .check, .exec, .demo],
            "One line a request."),
    ]
}

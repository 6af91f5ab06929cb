extension Declaration {
    static let provider: [Setting<ProviderDraft>] = [
        Setting(
            "hosts", \.settings.hosts, .list(of: .hostPattern, atLeast: 1), stem: "host", defaultText: "required",
            "Hosts that get the token, and no others."),
        Setting(
            "domainName", \.domainName, SettingType.hostName.optional(), defaultText: "the first host's name",
            "The token's domain."),
        Setting(
            "applicationIntegrationURL", \.settings.applicationIntegrationURL, SettingType.url.optional(),
            "Handed to the token source."),
        Setting(
            "backgroundRefreshEnabled", \.settings.backgroundRefreshEnabled, .bool,
            "Whether tokens are refreshed ahead of need."),
        Setting(
            "tokenRefreshDelaySec", \.tokenRefreshDelaySec,
            SettingType.integer(1...86_400).saying("an integer from 1 to 86400 (seconds), within the profile's range")
                .optional(),
            defaultText: "88 (sdk-2023: 300)",
            "Age at which a token is refreshed: 88 to 300, with sdk-2023 300 to 600, with unrestricted 1 to 86400."),
        Setting(
            "maxRetryCount", \.settings.maxRetryCount,
            SettingType.integer(0...1_000_000).saying("an integer from 0 to 1000000, within the profile's range")
                .optional(),
            defaultText: "null (sdk-2023: 5, without background refresh 3)",
            "Retries of a failed fetch: 0 to 100, with sdk-2023 0 to 10, with unrestricted any; null is unbounded."),
        Setting(
            "maxErrorTokenRefreshDelayMsec", \.settings.maxErrorTokenRefreshDelayMsec,
            .integer(1...86_400_000, unit: "milliseconds"),
            "Longest wait between two tries: 1 to 30000, with unrestricted up to 86400000."),
        Setting(
            "setTokenCookie", \.settings.setTokenCookie, .bool, "Whether the cookie store of a library user gets it."),
        Setting("tokenCookiePath", \.settings.tokenCookiePath, .cookiePath, "Paths that get the token (RFC 6265)."),
        Setting(
            "immunityTimeSec", \.settings.immunityTimeSec, SettingType.integer(1...259_200, unit: "seconds").optional(),
            defaultText: "300 (none for file and static)", "Age after which a token is expired."),
        Setting("profile", \.settings.profile, .choice, "Which ranges and defaults hold; unrestricted is for tests."),
        Setting("keepWarm", \.settings.keepWarm, .bool, "Refreshes also without traffic."),
        Setting("retryJitter", \.settings.retryJitter, .choice, "How waits between tries vary."),
        Setting(
            "fetchBudgetPerMinute", \.settings.fetchBudgetPerMinute, .integer(0...100_000),
            "Fetches a minute, retries included; 0 is no cap."),
        Setting("attachToPreflight", \.settings.attachToPreflight, .bool, "Whether CORS preflights get the token."),
        Setting(
            "allowInsecureToken", \.settings.allowInsecureToken, .bool,
            "Whether origins with an unverified certificate get the token."),
        Setting("carrier", \.settings.carrier, .choice, "How the token travels: as cookie or as x-aws-waf-token."),
        Setting("clientToken", \.settings.clientToken, .choice, "What happens to a client's own token."),
        Setting("responseToken", \.settings.responseToken, .choice, "What happens to a token that an origin sets."),
        Setting(
            "whenNoToken.mode", \.settings.whenNoToken, .choice, stem: "when-no-token",
            "Without a token a request waits (hold), is answered 503 (closed) or goes on (open)."),
        Setting(
            "whenNoToken.holdMsec", \.settings.holdMsec, .integer(0...600_000, unit: "milliseconds"),
            "How long a request waits for a token."),
        Setting(
            "allowPlainHTTP", \.settings.allowPlainHTTP, .bool,
            "Whether the token may travel in clear text beyond private addresses."),
        Setting(
            "upgradeToTLS", \.settings.upgradeToTLS, .bool, "Sends http:// requests to the same host over https://."),
        Setting("headers", \.settings.headers, .headers, isSecret: true, "Extra request fields for these hosts."),
    ]

    static let source: [Setting<ProviderDraft>] = [
        Setting(
            "source.type", \.source.type, SettingType.choice.optional(), stem: "token-source",
            defaultText: "what the other keys say", "The kind of token source."),
        Setting(
            "source.url", \.source.http.url, .url, stem: "token-url", defaultText: "", "http: where tokens come from."),
        Setting(
            "source.method", \.source.http.method, .oneOf(["GET", "POST", "PUT"]), stem: "token-method",
            "http: request method."),
        Setting(
            "source.headers", \.source.http.headers, .headers, stem: "token-headers", isSecret: true,
            "http: request fields."),
        Setting("source.body", \.source.http.body, .body, stem: "token-body", isSecret: true, "http: request body."),
        Setting(
            "source.tokenPointer", \.source.tokenPointer, .jsonPointer, stem: "token-pointer",
            "http: where the token stands in a JSON answer."),
        Setting(
            "source.expiresInPointer", \.source.expiresInPointer, .jsonPointer,
            "http: where its lifetime in seconds stands in a JSON answer."),
        Setting(
            "source.fromHeader", \.source.fromHeader, SettingType.token.optional(), stem: "token-from-header",
            "http: the response field that holds the token."),
        Setting(
            "source.fromCookie", \.source.fromCookie, SettingType.token.optional(), stem: "token-from-cookie",
            "http: the response cookie that holds the token."),
        Setting(
            "source.wholeBody", \.source.wholeBody, .bool, stem: "token-whole-body",
            "http: the whole response body is the token."),
        Setting(
            "source.command", \.source.command, .command, stem: "token-command", defaultText: "",
            "exec: the command that prints the token; no shell."),
        Setting(
            "source.timeoutMsec", \.source.timeoutMsec, .integer(1...600_000, unit: "milliseconds"),
            stem: "token-timeout-msec", "http, exec: bound on one fetch."),
        Setting(
            "source.path", \.source.path, .filePath, stem: "token-file", defaultText: "",
            "file: the file that holds the token; it is watched."),
        Setting(
            "source.value", \.source.value, .cookieOctets, stem: "token-value", alias: "WAF_TOKEN", isSecret: true,
            defaultText: "", "static: the token itself."),
    ]
}

internal import Proxy
internal import Settings
internal import Telemetry
internal import WAFTokens

extension WAFConfiguration {
    /// The rules that one provider's settings ask for.
    init(_ entry: ProviderSettings) {
        self.init(domainName: entry.domainName)
        applicationIntegrationURL = entry.applicationIntegrationURL
        backgroundRefreshEnabled = entry.backgroundRefreshEnabled
        tokenRefreshDelaySec = entry.tokenRefreshDelaySec
        maxRetryCount = entry.maxRetryCount
        maxErrorTokenRefreshDelayMsec = entry.maxErrorTokenRefreshDelayMsec
        setTokenCookie = entry.setTokenCookie
        tokenCookiePath = entry.tokenCookiePath
        immunityTimeSec = entry.immunityTimeSec
        profile =
            switch entry.profile {
            case .sdkCurrent: .sdkCurrent
            case .sdk2023: .sdk2023
            case .unrestricted: .unrestricted
            }
        keepWarm = entry.keepWarm
        retryJitter =
            switch entry.retryJitter {
            case .full: .full
            case .none: .none
            }
        fetchBudgetPerMinute = entry.fetchBudgetPerMinute
        whenNoToken =
            switch entry.whenNoToken {
            case .hold: .hold
            case .closed: .closed
            case .open: .open
            }
        holdMsec = entry.holdMsec
    }
}

extension AttachPolicy {
    /// How one provider's settings want its token attached.
    init(_ entry: ProviderSettings) {
        self.init(for: WAFConfiguration(entry))
        carrier = entry.carrier == .cookie ? .cookie : .header
        clientToken =
            switch entry.clientToken {
            case .replace: .replace
            case .keep: .keep
            case .fill: .fill
            }
        responseToken = entry.responseToken == .pass ? .pass : .adopt
        attachToPreflight = entry.attachToPreflight
        allowPlainHTTP = entry.allowPlainHTTP
        allowInsecureToken = entry.allowInsecureToken
        upgradeToTLS = entry.upgradeToTLS
        headers = entry.headers.map { SecretHeader(name: $0.name, value: $0.value) }
    }
}

extension HTTPTokenSource.Request {
    /// The request that the settings describe.
    init(_ settings: HTTPSourceSettings) {
        self.init(
            url: settings.url, method: settings.method,
            headers: settings.headers.map { SecretHeader(name: $0.name, value: $0.value) },
            body: settings.body.map { Redacted(Array($0.reveal().utf8)) },
            timeout: .milliseconds(settings.timeoutMsec))
    }
}

extension HTTPTokenSource.Answer {
    /// Where the settings say that the token stands.
    init(_ answer: HTTPSourceSettings.Answer) throws(RunningProxy.Failure) {
        switch answer {
        case .header(let name): self = .header(name)
        case .cookie(let name): self = .cookie(name)
        case .body: self = .body
        case .json(let token, let expiresIn):
            guard let token = JSONPointer(token), let expiresIn = JSONPointer(expiresIn) else {
                throw .settings("source.tokenPointer: not a JSON pointer")
            }
            self = .json(token: token, expiresIn: expiresIn)
        }
    }
}

internal import Telemetry

extension WAFConfiguration {
    /// Every value that is not allowed, in the order of the settings; empty when all is well.
    public var faults: [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        if let domain = DomainName.fault(of: domainName) {
            faults.append(ConfigurationFault(setting: "domainName", value: quoted(domainName), allowed: domain))
        }
        let profile = profile
        func check(_ setting: String, _ value: Int?, _ range: ClosedRange<Int>, _ note: String? = nil) {
            guard let value, !range.contains(value) else { return }
            let note = note.map { " (\($0))" } ?? ""
            faults.append(
                ConfigurationFault(
                    setting: setting, value: "\(value)", allowed: "\(range.lowerBound) to \(range.upperBound)\(note)"))
        }
        let name = "profile \(profile.rawValue)"
        check("tokenRefreshDelaySec", tokenRefreshDelaySec, profile.refreshDelay, name)
        check("maxRetryCount", maxRetryCount, profile.retryCount, name)
        check("maxErrorTokenRefreshDelayMsec", maxErrorTokenRefreshDelayMsec, profile.errorDelay, name)
        if !CookiePath.isValid(tokenCookiePath) {
            faults.append(
                ConfigurationFault(
                    setting: "tokenCookiePath", value: quoted(tokenCookiePath),
                    allowed: "a path that begins with a slash, without ; and control characters"))
        }
        check("immunityTimeSec", immunityTimeSec, 1...259_200)
        check("fetchBudgetPerMinute", fetchBudgetPerMinute, 0...100_000)
        check("holdMsec", holdMsec, 0...600_000)
        return faults
    }

    /// What holds after profile and defaults have been applied. Throws the first fault.
    func rules(for source: any TokenSource) throws(ConfigurationFault) -> ProviderRules {
        if let fault = faults.first { throw fault }
        return ProviderRules(
            refreshesInBackground: backgroundRefreshEnabled,
            refreshDelay: .seconds(tokenRefreshDelaySec ?? profile.defaultRefreshDelay),
            retry: RetrySchedule(
                ceiling: .milliseconds(maxErrorTokenRefreshDelayMsec), jitter: retryJitter,
                limit: maxRetryCount
                    ?? profile.defaultRetryCount(backgroundRefresh: backgroundRefreshEnabled)),
            immunity: immunityTimeSec.map { .seconds($0) } ?? source.defaultImmunity,
            fetchTimeout: source.timeout,
            checkInterval: source.checkInterval,
            keepWarm: keepWarm,
            fetchesPerMinute: fetchBudgetPerMinute,
            whenNoToken: whenNoToken,
            hold: .milliseconds(holdMsec))
    }
}

private func quoted(_ text: String) -> String {
    "\"\(Escaper.escape(text))\""
}

internal import Admin
internal import Proxy
public import Settings
internal import Telemetry
internal import Upstream
internal import WAFTokens

extension RunningProxy {
    /// Reads the settings again, where they came from, and goes by them from now on; says in the log what came of it.
    public func reload() async -> ReloadOutcome {
        guard let source else { return .refused(["the settings of this proxy come from nowhere to be read again"]) }
        let outcome = await reloads.run { [self] in
            switch source.read() {
            case .settings(let settings, let warnings): return await follow(settings, warnings)
            case .faults(let faults): return .refused(faults)
            }
        }
        describe(outcome)
        return outcome
    }

    /// Goes by other settings from now on. Requests under way end by those with which they began and no connection is
    /// closed; a provider whose source and rules stay keeps its token and its schedule. Settings that cannot be followed,
    /// or not without a restart, change nothing.
    public func reload(_ settings: EffectiveSettings) async -> ReloadOutcome {
        await reloads.run { [self] in await follow(settings, []) }
    }

    private func follow(_ settings: EffectiveSettings, _ warnings: [String]) async -> ReloadOutcome {
        let now = state.withLock { $0 }
        if now.isStopping { return .refused(["the proxy is shutting down"]) }
        let rules = ReloadRules(old: now.settings, new: settings)
        guard rules.faults.isEmpty else { return .refused(rules.faults) }
        do throws(Failure) {
            try await adopt(settings, rules, now)
        } catch {
            return .refused([error.description])
        }
        source?.changeLog(settings.log)
        return .done(changed: rules.changed, warnings: warnings)
    }

    /// Everything that can fail comes before anything changes.
    private func adopt(
        _ settings: EffectiveSettings, _ rules: ReloadRules, _ now: State
    ) async throws(Failure) {
        let earlier = now.providers
        let upstream = try UpstreamConfiguration(settings)
        let providers = try Providers(
            settings.providers, earlier: earlier, fetcher: fetcher, metrics: server.metrics, logger: logger)
        try checkInterception(of: settings)
        var configuration = try Self.configuration(settings, admin: adminAddress, interception)
        if settings.access.proxyUsers == now.settings.access.proxyUsers { configuration.users = now.users }
        let client = rules.renewsFetcher ? try await TokenFetcher.client(fetcher.loop, upstream) : nil
        if let client { await fetcher.adopt(client) }
        for (entry, provider) in zip(providers.settings, providers.all) {
            let before = earlier.named(entry.name)
            if before?.provider !== provider { await begin(provider, entry, after: before) }
        }
        do throws(ProxyServer.StartError) {
            try await server.adopt(
                configuration, upstream: upstream, renewsUpstream: rules.renewsUpstream, providers: providers.table)
        } catch {
            for provider in providers.all where !earlier.all.contains(where: { $0 === provider }) {
                await provider.stop()
            }
            throw .settings(error.description)
        }
        let users = configuration.users
        state.withLock { state in
            state.settings = settings
            state.providers = providers
            state.users = users
        }
        admin?.adopt(providers, server.explainer)
        await leave(earlier, for: providers)
    }

    private func checkInterception(of settings: EffectiveSettings) throws(Failure) {
        if let interception { return try interception.check(covers: settings) }
        if settings.providers.contains(where: { !$0.hosts.isEmpty }) {
            throw .settings("providers.hosts: there is no certificate authority yet; a restart is needed")
        }
    }

    /// Other rules for the same source: the token that is held is as good as before.
    private func begin(
        _ provider: WAFTokenProvider, _ entry: ProviderSettings,
        after before: (settings: ProviderSettings, provider: WAFTokenProvider)?
    ) async {
        if let before, before.settings.isSameSource(as: entry), let token = await before.provider.peekToken() {
            let status = await before.provider.status()
            await provider.loadTokenIntoProvider(token, expiresIn: status.token?.expiresIn)
        }
        await provider.start()
    }

    /// Those that nobody needs any more rest. Requests under way may still ask them; with the last of these they go.
    private func leave(_ earlier: Providers, for providers: Providers) async {
        for provider in earlier.all where !providers.all.contains(where: { $0 === provider }) {
            await provider.setActive(false)
        }
    }

    private func describe(_ outcome: ReloadOutcome) {
        switch outcome {
        case .done(let changed, let warnings):
            for warning in warnings { logger.warning("configuration", [("detail", .sentence(warning))]) }
            logger.info(
                "settings reloaded",
                [("changed", .sentence(changed.isEmpty ? "nothing" : changed.joined(separator: ", ")))])
        case .refused(let faults):
            for fault in faults {
                logger.error("settings not reloaded, the old ones hold", [("detail", .sentence(fault))])
            }
        }
    }
}

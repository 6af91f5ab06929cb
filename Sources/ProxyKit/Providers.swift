internal import EventLoop
internal import Proxy
internal import Settings
internal import Telemetry
internal import WAFTokens

/// The token providers that the settings name, and the table by which a host finds its own.
struct Providers: Sendable {
    let settings: [ProviderSettings]
    /// In the order of the settings.
    let all: [WAFTokenProvider]
    let table: HostTable<ProxyProvider>

    /// A provider of `earlier` whose source and rules are the same is taken over as it is.
    init(
        _ settings: [ProviderSettings], earlier: Providers? = nil, fetcher: TokenFetcher, metrics: ProxyMetrics,
        logger: Logger
    ) throws(RunningProxy.Failure) {
        self.settings = settings
        var all: [WAFTokenProvider] = []
        var groups: [(patterns: [HostPattern], value: ProxyProvider)] = []
        for entry in settings {
            let numbers = metrics.provider(named: entry.name)
            let provider =
                if let before = earlier?.named(entry.name), before.settings.isSameProvider(as: entry) {
                    before.provider
                } else {
                    try Self.provider(entry, fetcher, numbers, logger)
                }
            all.append(provider)
            groups.append(
                (
                    patterns: try Self.patterns(entry),
                    value: ProxyProvider(provider: provider, policy: AttachPolicy(entry), metrics: numbers)
                ))
        }
        self.all = all
        do throws(HostTable<ProxyProvider>.Conflict) {
            table = try HostTable(groups)
        } catch {
            throw .settings("providers: \(error)")
        }
    }

    func named(_ name: String) -> (settings: ProviderSettings, provider: WAFTokenProvider)? {
        zip(settings, all).first { $0.0.name == name }
    }

    static func patterns(_ entry: ProviderSettings) throws(RunningProxy.Failure) -> [HostPattern] {
        try entry.hosts.map { text throws(RunningProxy.Failure) in try HostPattern(checked: text) }
    }

    private static func provider(
        _ entry: ProviderSettings, _ fetcher: TokenFetcher, _ metrics: ProviderMetrics, _ logger: Logger
    ) throws(RunningProxy.Failure) -> WAFTokenProvider {
        let source = try source(entry, fetcher)
        do throws(ConfigurationFault) {
            return try WAFTokenProvider(
                WAFConfiguration(entry), source: source, name: entry.name,
                environment: environment(fetcher.loop, metrics, logger))
        } catch {
            throw .settings("providers.\(entry.name): \(error)")
        }
    }

    /// The provider's tasks run on a loop of the proxy: no other thread is needed.
    private static func environment(
        _ loop: EventLoop, _ metrics: ProviderMetrics, _ logger: Logger
    ) -> ProviderEnvironment {
        var environment = ProviderEnvironment()
        environment.executor = loop
        environment.sleep = { duration in await loop.sleep(for: duration) }
        let log = ProviderLog(name: metrics.name, logger: logger)
        environment.observe = { note in
            metrics.note(note)
            log.write(note)
        }
        return environment
    }

    private static func source(
        _ entry: ProviderSettings, _ fetcher: TokenFetcher
    ) throws(RunningProxy.Failure) -> any TokenSource {
        switch entry.source {
        case .http(let settings):
            let allowsPlainHTTP = entry.allowPlainHTTP
            return HTTPTokenSource(
                HTTPTokenSource.Request(settings), answer: try HTTPTokenSource.Answer(settings.answer),
                fetch: { request throws(SourceError) in
                    try await fetcher.fetch(request, allowsPlainHTTP: allowsPlainHTTP)
                })
        case .exec(let command, let timeoutMsec):
            let loop = fetcher.loop
            return ExecTokenSource(command, timeout: .milliseconds(timeoutMsec)) { command throws(SourceError) in
                try await TokenCommand.run(command, on: loop)
            }
        case .file(let path):
            return FileTokenSource(path: path, access: TokenFile.access(on: fetcher.loop))
        case .fixed(let value):
            do throws(WAFToken.Fault) {
                return StaticTokenSource(
                    try WAFToken(value.reveal()), expiresIn: entry.immunityTimeSec.map { .seconds($0) })
            } catch {
                throw .settings("providers.\(entry.name).source.value: \(error)")
            }
        }
    }
}

extension ProviderSettings {
    /// Whether a provider that was made by these settings is the one that `other` wants: hosts, and how the token is
    /// attached, are not its business.
    fileprivate func isSameProvider(as other: ProviderSettings) -> Bool {
        name == other.name && isSameSource(as: other) && WAFConfiguration(self) == WAFConfiguration(other)
    }

    /// Whether both ask the same source for the same tokens.
    func isSameSource(as other: ProviderSettings) -> Bool {
        source == other.source && allowPlainHTTP == other.allowPlainHTTP && domainName == other.domainName
            && applicationIntegrationURL == other.applicationIntegrationURL
    }
}

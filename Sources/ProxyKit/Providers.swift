internal import EventLoop
internal import Proxy
internal import Settings
internal import Telemetry
internal import WAFTokens

/// The token providers that the settings name, and the table by which a host finds its own.
struct Providers {
    private(set) var all: [WAFTokenProvider] = []
    private(set) var table = HostTable<ProxyProvider>()

    init(
        _ settings: [ProviderSettings], fetcher: TokenFetcher, logger: Logger
    ) throws(RunningProxy.Failure) {
        for entry in settings {
            let policy = AttachPolicy(entry)
            let provider = try Self.provider(entry, fetcher, logger)
            all.append(provider)
            for host in entry.hosts {
                table.insert(ProxyProvider(provider: provider, policy: policy), for: try HostPattern(host))
            }
        }
    }
}

extension Providers {
    private static func provider(
        _ entry: ProviderSettings, _ fetcher: TokenFetcher, _ logger: Logger
    ) throws(RunningProxy.Failure) -> WAFTokenProvider {
        do throws(ConfigurationFault) {
            return try WAFTokenProvider(
                name: entry.name, configuration: WAFConfiguration(entry), source: source(entry, fetcher),
                environment: environment(fetcher.loop, logger))
        } catch {
            throw .settings("providers.\(entry.name): \(error)")
        }
    }
}

internal import Admin
public import EventLoop
internal import Proxy
public import Settings
public import Telemetry
internal import Upstream
internal import WAFTokens

/// A whole proxy in this process: event loops, token providers, listeners.
///
/// Use it from a test suite to have a proxy for as long as the suite runs:
///
///     var settings = EffectiveSettings()
///     settings.listen = [.tcp(host: "127.0.0.1", port: 0)]
///     let proxy = try await RunningProxy(settings)
///     defer { … await proxy.stop() }
///
/// May be used from any thread. Stops once.
public final class RunningProxy: Sendable {
    private let group: EventLoopGroup
    let server: ProxyServer
    let fetcher: TokenFetcher
    let admin: AdminDesk?
    let logger: Logger
    let interception: Interception?
    let source: SettingsSource?
    let reloads = ReloadQueue()
    let state: Lock<State>

    /// What a reload changes.
    struct State {
        var settings: EffectiveSettings
        var providers: Providers
        /// With what has been verified of them.
        var users: ProxyUsers?
        var isStopping = false
    }

    /// Why a proxy could not start; prints as one sentence.
    public enum Failure: Error, Sendable, CustomStringConvertible {
        /// An address is taken, or may not be bound.
        case unavailable(String)
        /// The settings ask for what cannot be done.
        case settings(String)

        public var description: String {
            switch self {
            case .unavailable(let text), .settings(let text): text
            }
        }
    }

    /// Starts everything that `settings` describe; connections are accepted when this returns. `source` is where `reload`
    /// reads them again.
    public init(
        _ settings: EffectiveSettings, logger: Logger = .silent, source: SettingsSource? = nil
    ) async throws(Failure) {
        DescriptorLimit.raise()
        SignalWatcher.ignoreBrokenPipes()
        let listen = try settings.listen.map { address throws(Failure) in try SocketAddress(address, for: "listen") }
        let desk = try AdminDesk.Reservation(settings.admin)
        let group: EventLoopGroup
        do throws(SystemError) {
            group = try EventLoopGroup(count: settings.threads)
        } catch {
            throw .unavailable("cannot start an event loop: \(error)")
        }
        do throws(Failure) {
            let metrics = ProxyMetrics(shards: group.loops.count)
            let upstream = try UpstreamConfiguration(settings)
            let fetcher = try await TokenFetcher(loop: group.loops[0], configuration: upstream)
            let composed = try Providers(settings.providers, fetcher: fetcher, metrics: metrics, logger: logger)
            let interception = try Interception(settings, minted: metrics.leafCertificates)
            let configuration = try Self.configuration(settings, admin: desk?.address.ip, interception)
            let server = try await Self.serve(
                listen, group, configuration, upstream, composed.table,
                ReplayBudget(limit: settings.challenge.replayBufferTotalBytes), metrics,
                FlowRing(capacity: settings.flows.keep, bodyBytes: settings.flows.bodyBytes), logger)
            admin = try await desk?.open(server, composed, logger)
            self.server = server
            self.fetcher = fetcher
            self.interception = interception
            state = Lock(State(settings: settings, providers: composed, users: configuration.users))
        } catch {
            group.stop()
            throw error
        }
        self.group = group
        self.logger = logger
        self.source = source
        interception?.announce(logger)
        if let pem = trustAnchorPEM { admin?.offerAuthority(pem) }
        admin?.offerReload { [weak self] in await self?.reload() }
        for provider in providers { await provider.start() }
    }

    /// What is listened on, with the real ports.
    public var addresses: [SocketAddress] { server.addresses }

    /// Where operators ask (`admin.listen`), with the real port; nil where there is no such listener.
    public var adminAddress: SocketAddress? { admin?.address.ip }

    /// The same, for a unix socket as well.
    public var adminListener: ListeningAddress? { admin?.address }

    /// What `POST /v1/drain` begins, mostly a call of `stop` and the end of the process; it must come back at once.
    public func offerDrain(_ drain: @escaping @Sendable () -> Void) { admin?.offerDrain(drain) }

    /// What clients have to trust for listed hosts over HTTPS, in PEM; nil where no host is listed.
    public var trustAnchorPEM: String? { interception?.opened.trustAnchorPEM }

    /// How many challenges stayed unresolved so far, for each reason code; those without any are left out. Whole once the
    /// proxy has stopped.
    public var unresolvedChallenges: [(reason: String, count: UInt64)] {
        ChallengeOutcome.allCases.compactMap { outcome in
            guard case .unresolved = outcome else { return nil }
            let count = server.metrics.all.reduce(0) { $0 + $1.challenges(outcome) }
            return count > 0 ? (outcome.label, count) : nil
        }
    }

    /// Accepts nothing new, lets requests under way end within `limits.drainSec`, then ends everything.
    public func stop() async {
        state.withLock { $0.isStopping = true }
        // One that has begun ends first.
        _ = await reloads.run { .refused([]) }
        admin?.drains()
        await server.drain()
        for provider in providers { await provider.stop() }
        await fetcher.stop()
        await admin?.close()
        group.stop()
    }

    private var providers: [WAFTokenProvider] { state.withLock { $0.providers.all } }

    static func configuration(
        _ settings: EffectiveSettings, admin: SocketAddress?, _ interception: Interception?
    ) throws(Failure) -> ProxyConfiguration {
        var configuration = try ProxyConfiguration(settings)
        configuration.interceptor = interception?.interceptor
        configuration.localPage = LocalPage(authority: interception.map { Array($0.opened.trustAnchorPEM.utf8) })
        if let admin { configuration.destinations.ownListeners.append(admin) }
        return configuration
    }

    private static func serve(
        _ listen: [SocketAddress], _ group: EventLoopGroup, _ configuration: ProxyConfiguration,
        _ upstream: UpstreamConfiguration, _ table: HostTable<ProxyProvider>, _ replayBudget: ReplayBudget,
        _ metrics: ProxyMetrics, _ flows: FlowRing, _ logger: Logger
    ) async throws(Failure) -> ProxyServer {
        do throws(ProxyServer.StartError) {
            return try await ProxyServer(
                listenOn: listen, loops: group.loops, configuration: configuration, upstream: upstream,
                providers: table, replayBudget: replayBudget, metrics: metrics, flows: flows, logger: logger)
        } catch {
            if case .parentIsSelf = error { throw .settings(error.description) }
            throw .unavailable(error.description)
        }
    }
}

extension SocketAddress {
    /// An address from the settings; `key` is the setting's.
    init(_ address: ListenAddress, for key: String) throws(RunningProxy.Failure) {
        guard case .tcp(let host, let port) = address, let result = SocketAddress(ip: host, port: port) else {
            throw .settings("\(key): \(address) is no IP address and port")
        }
        self = result
    }
}

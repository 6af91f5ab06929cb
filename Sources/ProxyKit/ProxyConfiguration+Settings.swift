internal import EventLoop
internal import HTTP
internal import Proxy
internal import Settings
internal import Upstream
internal import WAFTokens

extension ProxyConfiguration {
    /// What the settings say about the proxy itself.
    init(_ settings: EffectiveSettings) throws(RunningProxy.Failure) {
        self.init()
        addsVia = settings.via
        explains = settings.explain
        let limits = settings.limits
        headLimits = HeadLimits(headBytes: limits.headBytes, headFields: limits.headFields)
        headTimeout = .seconds(limits.headSec)
        idleClientTimeout = .seconds(limits.idleClientSec)
        tunnelIdleTimeout = .seconds(limits.tunnelIdleSec)
        halfCloseTimeout = .seconds(limits.halfCloseSec)
        drainTimeout = .seconds(limits.drainSec)
        maxConnections = limits.connections
        maxTunnels = limits.tunnels
        connectTimeout = .milliseconds(settings.upstream.connectTimeoutMsec)
        maxReplays = settings.challenge.maxReplays
        replayBufferBytes = settings.challenge.replayBufferBytes
        onUnresolvedChallenge = settings.challenge.onUnresolved == .pass ? .pass : .error
        destinations = DestinationRules(
            denied: try DestinationRules.List(settings.access.denyDestinations),
            allowed: try DestinationRules.List(settings.access.allowDestinations),
            allowsPrivateNetworks: settings.access.allowPrivateNetworks)
        users = settings.access.proxyUsers.map(ProxyUsers.init)
        sources = SourceRules(
            allowed: try settings.access.allowFrom.map(Network.init), servesKnownUsers: users != nil)
        resolve = Dictionary(settings.upstream.resolve.map(\.endpoint), uniquingKeysWith: { $1 })
    }
}

extension ResolveEntry {
    var endpoint: (Authority, Endpoint) {
        (Authority(host: host, port: port), Endpoint(host: targetHost, port: targetPort))
    }
}

extension Network {
    init(_ range: NetworkRange) throws(RunningProxy.Failure) {
        guard let network = Network(parsing: range.description) else {
            throw .settings("\(range) is no network")
        }
        self = network
    }
}

extension DestinationRules.List {
    fileprivate init(_ rules: [DestinationRule]) throws(RunningProxy.Failure) {
        var networks: [Network] = []
        var hosts: [HostPattern] = []
        for rule in rules {
            switch rule {
            case .network(let range): networks.append(try Network(range))
            case .host(let text): hosts.append(try HostPattern(checked: text))
            }
        }
        self.init(networks: networks, hosts: hosts)
    }
}

extension HostPattern {
    /// A pattern that the settings have checked already.
    init(checked text: String) throws(RunningProxy.Failure) {
        do throws(Fault) { try self.init(text) } catch { throw .settings("\(text): \(error)") }
    }
}

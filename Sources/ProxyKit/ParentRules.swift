internal import EventLoop
internal import HTTP
internal import Proxy
internal import Settings
internal import Telemetry
internal import Upstream
internal import WAFTokens

/// Which parent a request goes through, if any. Pure.
struct ParentRules: Sendable {
    private let plain: ParentProxy?
    private let secure: ParentProxy?
    private let hosts: HostTable<Bool>
    private let networks: [Network]
    /// Names that stand for all names below them, too (`no_proxy`).
    private let domains: [String]
    private let spareEverything: Bool
    private let resolve: [Authority: Endpoint]

    init(_ upstream: UpstreamSettings, resolve: [Authority: Endpoint]) throws(RunningProxy.Failure) {
        self.resolve = resolve
        if var parent = upstream.parentProxy {
            if let user = upstream.parentProxyUser {
                parent.credentials = ParentProxy.Credentials(
                    user: Redacted(user), password: upstream.parentProxyPassword ?? Redacted(""))
            }
            plain = parent
            secure = plain
        } else {
            plain = upstream.environmentParents?.plain
            secure = upstream.environmentParents?.secure
        }
        var hosts: Set<HostPattern> = []
        var networks: [Network] = []
        for rule in upstream.noParentFor {
            switch rule {
            case .network(let range): networks.append(try Network(range))
            case .host(let text):
                let pattern = try HostPattern(checked: text)
                hosts.insert(pattern.ports == .standard ? try HostPattern(checked: text + ":*") : pattern)
            }
        }
        var domains: [String] = []
        var everything = false
        for exception in upstream.environmentParents?.exceptions ?? [] {
            switch exception {
            case .everything: everything = true
            case .domain(let name): domains.append(name)
            case .network(let range): networks.append(try Network(range))
            }
        }
        self.hosts = HostTable(hosts)
        self.networks = networks
        self.domains = domains
        spareEverything = everything
    }

    /// Every parent that may be named.
    var parents: [ParentProxy] { Array(Set([plain, secure].compactMap { $0 })) }

    func parent(_ scheme: Scheme, _ authority: Authority) -> ParentProxy? {
        guard let parent = scheme == .https ? secure : plain, !spareEverything else { return nil }
        return spares(authority) ? nil : parent
    }

    private func spares(_ authority: Authority) -> Bool {
        if hosts.lookUp(host: authority.host, port: authority.port) != nil { return true }
        if domains.contains(where: { authority.host == $0 || authority.host.hasSuffix("." + $0) }) { return true }
        if networks.isEmpty { return false }
        let dialled = resolve[authority]?.host ?? authority.host
        guard let address = SocketAddress(anySpelling: dialled, port: authority.port) else { return false }
        return networks.contains { $0.contains(address) }
    }
}

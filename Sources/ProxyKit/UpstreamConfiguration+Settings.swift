internal import HTTP
internal import Proxy
internal import Settings
internal import TLS
internal import Telemetry
internal import Upstream
internal import WAFTokens

extension UpstreamConfiguration {
    /// What the settings say about origins.
    init(_ settings: EffectiveSettings) throws(RunningProxy.Failure) {
        self.init()
        let upstream = settings.upstream
        connectTimeout = .milliseconds(upstream.connectTimeoutMsec)
        responseHeadTimeout = .milliseconds(upstream.responseHeadTimeoutMsec)
        idlePool = .seconds(upstream.idlePoolSec)
        dnsCache = .seconds(upstream.dnsCacheSec)
        responseHeadBytes = settings.limits.responseHeadBytes
        caFile = upstream.caFile
        verify = upstream.verify
        let insecure = HostTable(Set(try upstream.insecureHosts.map(HostPattern.init(checked:))))
        isInsecure = { insecure.lookUp(host: $0.host, port: $0.port) != nil }
        let certificates = try HostTable<ClientCertificate>(upstream.clientCertificates)
        clientCertificate = { certificates.lookUp(host: $0.host, port: $0.port) }
        resolve = Dictionary(upstream.resolve.map(\.endpoint), uniquingKeysWith: { $1 })
        let rules = try ParentRules(upstream, resolve: resolve)
        parents = rules.parents
        if !parents.isEmpty { parent = { rules.parent($0, $1) } }
    }
}

extension HostTable<ClientCertificate> {
    /// Each host's certificate, once it is sure that the files hold a certificate and its key.
    fileprivate init(_ entries: [ClientCertificateEntry]) throws(RunningProxy.Failure) {
        var groups: [(patterns: [HostPattern], value: ClientCertificate)] = []
        for entry in entries {
            do throws(TLSError) {
                try IdentityFiles.check(certificate: entry.certificate, key: entry.key)
            } catch {
                throw .settings("upstream.clientCertificates: \(Escaper.escape("\(entry)")): \(error.detail)")
            }
            groups.append(
                (
                    try entry.hosts.map { text throws(RunningProxy.Failure) in try HostPattern(checked: text) },
                    ClientCertificate(certificateFile: entry.certificate, keyFile: entry.key)
                ))
        }
        do throws(Conflict) {
            try self.init(groups)
        } catch {
            throw .settings("upstream.clientCertificates: \(error)")
        }
    }
}

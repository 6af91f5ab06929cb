internal import Proxy
internal import Settings
internal import TLS
internal import Telemetry
internal import WAFTokens

/// What a running proxy intercepts with: the authority that clients trust, and the leaves that it signs.
struct Interception: Sendable {
    let opened: OpenedAuthority
    let leaves: LeafStore
    let interceptor: Interceptor

    /// nil where no provider lists a host: nothing is intercepted, and no authority is made.
    ///
    /// `minted` counts the leaves.
    init?(_ settings: EffectiveSettings, minted: Counter) throws(RunningProxy.Failure) {
        let hosts = try HostPattern.listed(in: settings.providers)
        guard !hosts.isEmpty else { return nil }
        let intercept = settings.intercept
        opened = try AuthorityStore.open(intercept, hosts: hosts)
        do throws(TLSError) {
            let leaves = try LeafStore(
                authority: opened.authority, leafDays: intercept.leafValidityDays,
                backdateHours: intercept.leafBackdateHours, minted: minted, clock: AuthorityStore.currentSecond)
            self.leaves = leaves
            interceptor = try Interceptor(versions: intercept.minimumTLS.version ... .tls13) {
                host throws(TLSError) in try leaves.identity(for: host)
            }
        } catch {
            throw .unavailable("interception cannot be prepared: \(error)")
        }
    }

    /// Throws where other settings list hosts for which this authority may not sign: clients would have to trust
    /// another one.
    func check(covers settings: EffectiveSettings) throws(RunningProxy.Failure) {
        guard let host = opened.refused(among: try HostPattern.listed(in: settings.providers)) else { return }
        throw .settings(
            "providers.hosts: the certificate authority that clients trust may not sign for \(host); "
                + "a restart is needed")
    }

    /// Says where the authority is, once, and what is to be known of it.
    func announce(_ logger: Logger) {
        for warning in opened.warnings { logger.warning("certificate authority", [("warning", .string(warning))]) }
        let place =
            switch opened.place {
            case .memory: "memory"
            case .file(let path), .provided(let path): path
            }
        switch opened.event {
        case .kept: break
        case .created: logger.info("certificate authority made", [("place", .string(place))])
        case .renewed:
            logger.warning(
                "certificate authority renewed; clients have to trust the new one", [("place", .string(place))])
        }
    }
}

extension InterceptSettings.TLSVersion {
    fileprivate var version: TLSContext.Version {
        switch self {
        case .tls12: .tls12
        case .tls13: .tls13
        }
    }
}

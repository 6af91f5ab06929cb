internal import Glibc
internal import Settings
internal import TLS
internal import Telemetry
internal import WAFTokens

/// Finds the authority that the settings ask for: provided, in memory, or kept on disk and made there when it is
/// missing. Reads a few small files; no system roots, no network.
enum AuthorityStore {
    /// - Parameters:
    ///   - hosts: what is intercepted, at least one; an authority of ours may sign for nothing else.
    ///   - now: seconds since 1970.
    static func open(
        _ settings: InterceptSettings, hosts: [HostPattern], now: Int = currentSecond()
    ) throws(RunningProxy.Failure) -> OpenedAuthority {
        guard !hosts.isEmpty else {
            throw .settings(
                "no provider lists a host: nothing is intercepted, and there is no authority for it; name the proxy's hosts "
                    + "with --host, or its settings with --config")
        }
        if let certificate = settings.caCertificate, let key = settings.caKey {
            return try ProvidedAuthority(certificatePath: certificate, keyPath: key).open(for: hosts, now: now)
        }
        let constraints = settings.nameConstraints ? try NameConstraints(hosts) : nil
        if settings.ephemeralCA {
            return OpenedAuthority(
                place: .memory, event: .created, warnings: [], authority: try make(constraints, now: now),
                constraints: constraints)
        }
        guard let directory = settings.caDirectory ?? defaultDirectory() else {
            throw .settings(
                "neither XDG_DATA_HOME nor HOME is set: let --ca-directory say where the certificate authority is "
                    + "kept, or take --ca-ephemeral")
        }
        return try AuthorityFolder(directory: directory, constraints: constraints).open(now: now)
    }

    static func make(_ constraints: NameConstraints?, now: Int) throws(RunningProxy.Failure) -> InterceptionAuthority {
        do throws(TLSError) {
            return try InterceptionAuthority(constraints: constraints, now: now)
        } catch {
            throw .unavailable("no certificate authority could be made: \(error)")
        }
    }

    /// `$XDG_DATA_HOME/waf-token-proxy`, or below `~/.local/share` (XDG base directory specification); nil without both.
    static func defaultDirectory(_ variable: (String) -> String? = environmentVariable) -> String? {
        func absolute(_ name: String) -> String? { variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let data = absolute("XDG_DATA_HOME") ?? absolute("HOME").map { $0 + "/.local/share" }
        return data.map { $0 + "/waf-token-proxy" }
    }

    @Sendable static func currentSecond() -> Int { Int(WallClock.now().milliseconds / 1000) }
}

private func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

extension NameConstraints {
    /// What the listed hosts permit; ports play no part.
    init(_ hosts: [HostPattern]) throws(RunningProxy.Failure) {
        do throws(TLSError) {
            try self.init(hosts: hosts.map { $0.isWildcard ? "*.\($0.host)" : $0.host })
        } catch {
            throw .settings("a listed host cannot stand in a certificate: \(error)")
        }
    }
}

public import Settings
internal import TLS
internal import Telemetry
internal import WAFTokens

/// What `ca show` and `ca export` print. Both open the authority as `run` does, and make it where there is none.
public enum AuthorityReport {
    /// Where the authority is, what it may sign for, and its certificates: lines with line ends.
    public static func text(_ settings: EffectiveSettings) throws(RunningProxy.Failure) -> String {
        let opened = try open(settings)
        do throws(TLSError) {
            return try rows(opened).map { name, value in
                name + String(repeating: " ", count: 10 - name.utf8.count) + value + "\n"
            }.joined()
        } catch {
            throw .settings("the authority's certificates cannot be read: \(error)")
        }
    }

    /// What clients have to trust, in PEM.
    public static func trustAnchorPEM(_ settings: EffectiveSettings) throws(RunningProxy.Failure) -> String {
        try open(settings).trustAnchorPEM
    }

    private static func open(_ settings: EffectiveSettings) throws(RunningProxy.Failure) -> OpenedAuthority {
        if settings.intercept.ephemeralCA {
            throw .settings("intercept.ephemeralCA: such an authority exists only within the proxy that makes it")
        }
        return try AuthorityStore.open(settings.intercept, hosts: try HostPattern.listed(in: settings.providers))
    }

    private static func rows(_ opened: OpenedAuthority) throws(TLSError) -> [(String, String)] {
        var rows: [(String, String)] = []
        switch opened.place {
        case .memory: rows.append(("kept", "in memory"))
        case .file(let path): rows.append(("kept", Escaper.escape(path) + note(opened.event)))
        case .provided(let path): rows.append(("provided", Escaper.escape(path)))
        }
        if case .file = opened.place { rows.append(("set", opened.constraints?.fingerprint ?? "unconstrained")) }
        let authority = opened.authority
        let certificates = authority.certificates
        rows.append(("permits", try permitted(opened, by: certificates)))
        for (index, certificate) in certificates.enumerated().reversed() {
            let isTrusted = index == certificates.count - 1
            rows.append((isTrusted ? "trusted" : index == 0 ? "signs" : "between", try certificate.subject()))
            rows.append(("", "SHA-256 " + colons(try certificate.fingerprint())))
            let validity = try certificate.validity()
            let (start, end) = (CalendarDay.text(validity.lowerBound), CalendarDay.text(validity.upperBound))
            rows.append(("", "valid from \(start) to \(end)"))
        }
        rows += opened.warnings.map { ("warning", $0) }
        return rows
    }

    private static func note(_ event: OpenedAuthority.Event) -> String {
        switch event {
        case .kept: ""
        case .created: " (made now)"
        case .renewed: " (made now in the place of one that ends: clients have to trust the new one)"
        }
    }

    private static func permitted(
        _ opened: OpenedAuthority, by certificates: [Certificate]
    ) throws(TLSError) -> String {
        guard let constraints = opened.constraints else {
            var texts: [String] = []
            for certificate in certificates { if let text = try certificate.nameConstraints() { texts.append(text) } }
            return texts.isEmpty ? "every host (no name constraints)" : texts.joined(separator: "; ")
        }
        let names = constraints.permittedDNS.map { $0.hasPrefix(".") ? "*\($0)" : "\($0) and *.\($0)" }
        return (names + constraints.permittedIPs).joined(separator: ", ")
    }

    /// `AB:CD:…`, as browsers show it.
    private static func colons(_ hex: String) -> String {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count, by: 2).map { index in
            String(decoding: digits[index..<(index + 2)], as: UTF8.self).uppercased()
        }.joined(separator: ":")
    }
}

extension HostPattern {
    /// Every host of these providers.
    static func listed(in providers: [ProviderSettings]) throws(RunningProxy.Failure) -> [HostPattern] {
        var hosts: [HostPattern] = []
        for provider in providers {
            for host in provider.hosts { hosts.append(try HostPattern(checked: host)) }
        }
        return hosts
    }
}

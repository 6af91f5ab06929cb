import Credentials
import Telemetry

/// Checks settings against each other and against the machine, once each of them is well-formed.
struct CrossChecks {
    let origins: [String: Origin]
    let files: FileAccess
    let environment: [String: String]

    func check(_ result: inout SettingsLoader.Result) {
        let proxy = result.root.proxy
        if proxy.challenge.replayBufferBytes > proxy.challenge.replayBufferTotalBytes {
            result.faults.append(
                .notAllowed(
                    "challenge.replayBufferBytes", origins["challenge.replayBufferBytes"],
                    value: String(proxy.challenge.replayBufferBytes),
                    allowed: "at most challenge.replayBufferTotalBytes (\(proxy.challenge.replayBufferTotalBytes))"))
        }
        if case .tcp(_, let port)? = proxy.admin.listen, port > 0, let admin = proxy.admin.listen,
            proxy.listen.contains(admin)
        {
            result.faults.append(
                Fault("admin.listen", origins["admin.listen"] ?? origins["listen"], "\(admin) is in listen, too"))
        }
        checkFile(proxy.upstream.caFile, "upstream.caFile", &result)
        for entry in proxy.upstream.clientCertificates {
            checkFile(entry.certificate, "upstream.clientCertificates", &result)
            if entry.key != entry.certificate { checkFile(entry.key, "upstream.clientCertificates", &result) }
            if files.isReadableByAll(entry.key) {
                result.warnings.append(
                    "upstream.clientCertificates: everyone on this machine may read the key "
                        + "\"\(Escaper.escape(entry.key))\"; make its mode 0600")
            }
        }
        checkClientCertificates(proxy.upstream.clientCertificates, &result)
        checkAuthority(proxy.intercept, &result)
        readUsers(&result)
        ParentChecks(origins: origins, environment: environment).check(&result)
        checkHosts(proxy.providers, &result)
        warn(proxy, &result)
    }

    func checkFile(_ path: String?, _ key: String, _ result: inout SettingsLoader.Result) {
        guard let path else { return }
        do throws(FileProblem) {
            _ = try files.read(path, 16 << 20)
        } catch {
            let problem = "the file \"\(Escaper.escape(path))\" cannot be read: \(error.reason)"
            result.faults.append(Fault(key, origins[key], problem))
        }
    }

    /// A host gets one certificate.
    private func checkClientCertificates(_ entries: [ClientCertificateEntry], _ result: inout SettingsLoader.Result) {
        var seen: Set<String> = []
        for host in entries.flatMap(\.hosts) where !seen.insert(host).inserted {
            let key = "upstream.clientCertificates"
            result.faults.append(Fault(key, origins[key], "\(host) has two certificates"))
        }
    }

    private func readUsers(_ result: inout SettingsLoader.Result) {
        let key = "access.proxyUsersFile"
        guard let path = result.root.proxy.access.proxyUsersFile else { return }
        do throws(FileProblem) {
            let content = try files.read(path, 16 << 20)
            do throws(UserTable.Fault) {
                result.root.proxy.access.proxyUsers = try UserTable(content)
            } catch {
                let place = error.line > 0 ? "\(Escaper.escape(path)):\(error.line)" : Escaper.escape(path)
                result.faults.append(Fault(key, origins[key], "\(place) \(error)"))
            }
        } catch {
            let problem = "the file \"\(Escaper.escape(path))\" cannot be read: \(error.reason)"
            result.faults.append(Fault(key, origins[key], problem))
        }
    }

    /// A host pattern belongs to one provider.
    private func checkHosts(_ providers: [ProviderSettings], _ result: inout SettingsLoader.Result) {
        var owners: [String: String] = [:]
        for provider in providers {
            for host in provider.hosts {
                if let owner = owners.updateValue(provider.name, forKey: host), owner != provider.name {
                    let key = "providers.\(provider.name).hosts"
                    let origin = result.provenance.first { $0.key == key }?.origin
                    result.faults.append(Fault(key, origin, "\(host) belongs to the provider \(owner) already"))
                }
            }
        }
    }

    private func warn(_ proxy: EffectiveSettings, _ result: inout SettingsLoader.Result) {
        if let open = proxy.listen.first(where: { !$0.isLoopback }), proxy.access.allowFrom.isEmpty,
            proxy.access.proxyUsersFile == nil
        {
            result.warnings.append(
                "listen: \(open) can be reached from other machines and neither access.allowFrom nor access.proxyUsersFile "
                    + "is set; only private source addresses are served")
        }
        if let admin = proxy.admin.listen, !admin.isLoopback {
            result.warnings.append(
                "admin.listen: \(admin) can be reached from other machines; there all but /livez and /readyz needs the "
                    + "admin token")
        }
        if !proxy.intercept.nameConstraints, proxy.intercept.caCertificate == nil {
            result.warnings.append(
                "intercept.nameConstraints: false; whoever gets the authority's key can sign for every host towards "
                    + "clients that trust it")
        }
        if !proxy.upstream.verify {
            result.warnings.append("upstream.verify: false; no origin's certificate is verified")
        }
    }
}

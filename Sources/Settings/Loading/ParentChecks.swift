internal import Telemetry

/// Checks what is said of parent proxies as a whole, and reads the environment's where that is wanted.
struct ParentChecks {
    let origins: [String: Origin]
    let environment: [String: String]

    func check(_ result: inout SettingsLoader.Result) {
        var upstream = result.root.proxy.upstream
        if upstream.parentProxy?.credentials != nil, case .flag? = origins["upstream.parentProxy"] {
            result.faults.append(
                fault(
                    "upstream.parentProxy",
                    "a secret is never given as a flag; leave user and password out and use --parent-proxy-user and "
                        + "--parent-proxy-password-file"))
        }
        checkUser(upstream, &result)
        if upstream.parentFromEnvironment {
            if upstream.parentProxy != nil {
                result.faults.append(
                    fault("upstream.parentFromEnvironment", "upstream.parentProxy is given, too; use one of them"))
            }
            do throws(EnvironmentParents.Fault) {
                upstream.environmentParents = try EnvironmentParents(environment)
            } catch {
                result.faults.append(
                    fault(
                        "upstream.parentFromEnvironment",
                        "the variable \(error.variable) names no http, https or socks5 proxy"))
            }
        }
        result.root.proxy.upstream = upstream
    }

    private func checkUser(_ upstream: UpstreamSettings, _ result: inout SettingsLoader.Result) {
        let key = upstream.parentProxyUser != nil ? "upstream.parentProxyUser" : "upstream.parentProxyPassword"
        guard upstream.parentProxyUser != nil || upstream.parentProxyPassword != nil else { return }
        guard let parent = upstream.parentProxy else {
            result.warnings.append("\(key): there is no upstream.parentProxy that it belongs to")
            return
        }
        if parent.credentials != nil {
            result.faults.append(fault(key, "upstream.parentProxy holds a user already; use one of them"))
        }
        if upstream.parentProxyUser == nil {
            result.faults.append(fault(key, "upstream.parentProxyUser is missing"))
        }
    }

    private func fault(_ key: String, _ text: String) -> Fault { Fault(key, origins[key], text) }
}

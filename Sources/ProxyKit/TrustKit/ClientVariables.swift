public import Settings

/// The environment variables by which unchanged clients find the proxy and trust its authority.
///
/// Pure. A variable that *replaces* a client's roots gets the bundle, which holds the system's roots as well, and never
/// the authority alone. `SSL_CERT_DIR` and `all_proxy` are left alone.
public struct ClientVariables: Sendable {
    /// `HOST:PORT` of the proxy, IPv6 in brackets.
    public var proxy: String
    /// Folder of the trust kit as clients see it; nil: clients are told of the proxy alone.
    public var trustKit: String?
    /// What clients reach without the proxy.
    public var noProxy: [String]
    /// The variable that Java reads.
    public var java: JavaVariable

    public init(proxy: String, trustKit: String?, noProxy: [String], java: JavaVariable) {
        self.proxy = proxy
        self.trustKit = trustKit
        self.noProxy = noProxy
        self.java = java
    }

    /// Variables that name a file which replaces the client's roots.
    public static let bundleNames = [
        "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "HTTPLIB2_CA_CERTS", "GIT_SSL_CAINFO",
        "AWS_CA_BUNDLE", "CARGO_HTTP_CAINFO", "BUNDLE_SSL_CA_CERT", "PERL_LWP_SSL_CA_FILE", "npm_config_cafile",
        "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "DENO_CERT",
    ]
    /// The variable that names a file which Node adds to its roots.
    public static let nodeName = "NODE_EXTRA_CA_CERTS"

    /// All of them, our part alone.
    public func own() -> [ClientVariable] { variables(over: [:]) }

    /// All of them with their final values: what `existing` holds is kept where a value can be extended.
    public func merged(over existing: [String: String]) -> [ClientVariable] {
        variables(over: existing).map { variable in
            guard let separator = variable.separator else { return variable }
            let value = Self.extend(existing[variable.name] ?? "", by: variable.value, separator)
            return ClientVariable(variable.name, value)
        }
    }

    private func variables(over existing: [String: String]) -> [ClientVariable] {
        let url = "http://\(proxy)"
        var list = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].map { ClientVariable($0, url) }
        let bypass = BypassList(existing["no_proxy"] ?? "") + BypassList(existing["NO_PROXY"] ?? "")
        let added = BypassList(entries: noProxy)
        if existing.isEmpty {
            if !added.isEmpty {
                list += ["no_proxy", "NO_PROXY"].map { ClientVariable($0, added.text, separator: ",") }
            }
        } else if case let all = bypass + added, !all.isEmpty {
            list += ["no_proxy", "NO_PROXY"].map { ClientVariable($0, all.text) }
        }
        list.append(ClientVariable("NODE_USE_ENV_PROXY", "1"))
        list.append(ClientVariable("PERL_LWP_ENV_PROXY", "1"))
        if let trustKit { list += trust(trustKit, existing) }
        if java != .none {
            let options = JavaOptions(proxy: proxy, bypass: bypass + added, trustKit: trustKit)
            list.append(ClientVariable(java.rawValue, options.text, separator: " "))
        }
        return list
    }

    private func trust(_ folder: String, _ existing: [String: String]) -> [ClientVariable] {
        let bundle = "\(folder)/\(TrustKit.bundle)"
        let authority = "\(folder)/\(TrustKit.authority)"
        // Node adds one file to its roots: where it adds another one already, that one's content is in the bundle.
        let before = existing[Self.nodeName] ?? ""
        let node = before.isEmpty || before == authority ? authority : bundle
        return Self.bundleNames.map { ClientVariable($0, bundle) } + [
            ClientVariable(Self.nodeName, node),
            ClientVariable("SYSTEM_WGETRC", "\(folder)/\(TrustKit.wgetrc)"),
        ]
    }

    /// Does nothing a second time.
    private static func extend(_ old: String, by new: String, _ separator: String) -> String {
        old.isEmpty ? new : old.hasSuffix(new) ? old : old + separator + new
    }
}

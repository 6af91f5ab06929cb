internal import Settings

/// The environment of a program that is run with the proxy: its parent's, without what is ours, with what tells of the
/// proxy. Pure.
public struct ChildEnvironment: Sendable {
    /// Complete.
    public let variables: [String: String]
    /// Sentences about what the parent's environment holds that hinders.
    public let warnings: [String]

    /// - Parameters:
    ///   - hosts: the patterns that get a token.
    ///   - hasParentProxy: whether the proxy itself asks another one.
    public init(
        from parent: [String: String], adding client: ClientVariables, hosts: [String], hasParentProxy: Bool = false
    ) {
        var variables = parent.filter { !ProcessEnvironment.isSetting($0.key) }
        for variable in client.merged(over: variables) { variables[variable.name] = variable.value }
        self.variables = variables
        warnings =
            Self.swallowed(hosts, variables["no_proxy"] ?? "") + Self.replaced(parent, client)
            + (hasParentProxy ? [] : Self.bypassed(parent))
    }

    /// Where another proxy is the only way out, hosts are out of reach now.
    private static func bypassed(_ parent: [String: String]) -> [String] {
        let names = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"]
        guard let name = names.first(where: { !(parent[$0] ?? "").isEmpty }) else { return [] }
        return [
            "\(name) names another proxy; ours takes its place and asks hosts directly; to ask that one: --parent-from-environment"
        ]
    }

    private static func swallowed(_ hosts: [String], _ list: String) -> [String] {
        let list = BypassList(list)
        return hosts.compactMap { host in
            list.entry(swallowing: host).map { entry in
                "NO_PROXY holds \(entry): clients do not ask the proxy for \(host); take it out of the variable or of --no-proxy"
            }
        }
    }

    /// Java takes one trust store, and the last one that is given.
    private static func replaced(_ parent: [String: String], _ client: ClientVariables) -> [String] {
        let name = client.java.rawValue
        guard client.trustKit != nil, parent[name]?.contains("-Djavax.net.ssl.trustStore=") == true else { return [] }
        return ["\(name) names a trust store already; Java takes that of the proxy instead"]
    }
}

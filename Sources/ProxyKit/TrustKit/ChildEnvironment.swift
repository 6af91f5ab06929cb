internal import Settings

/// The environment of a program that is run with the proxy: its parent's, without what is ours, with what tells of the
/// proxy. Pure.
public struct ChildEnvironment: Sendable {
    /// Complete.
    public let variables: [String: String]
    /// Sentences about what the parent's environment holds that hinders.
    public let warnings: [String]

    /// - Parameter hosts: the patterns that get a token.
    public init(from parent: [String: String], adding client: ClientVariables, hosts: [String]) {
        var variables = parent.filter { !ProcessEnvironment.isSetting($0.key) }
        for variable in client.merged(over: variables) { variables[variable.name] = variable.value }
        self.variables = variables
        warnings = Self.swallowed(hosts, variables["no_proxy"] ?? "") + Self.replaced(parent, client)
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

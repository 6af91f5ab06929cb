public import Telemetry

/// The parent proxies that the variables of curl(1) name, read the way curl reads them.
public struct EnvironmentParents: Sendable, Hashable {
    /// For `http://` requests: `http_proxy` (in lower case alone), else `all_proxy`, `ALL_PROXY`.
    public let plain: ParentProxy?
    /// For `https://` requests and tunnels: `https_proxy`, `HTTPS_PROXY`, else `all_proxy`, `ALL_PROXY`.
    public let secure: ParentProxy?
    /// What `no_proxy`, `NO_PROXY` keep from them.
    public let exceptions: [Exception]

    /// One entry of `no_proxy`.
    public enum Exception: Sendable, Hashable {
        /// `*`, which stands alone.
        case everything
        /// A name with all names below it, in lower case.
        case domain(String)
        /// An address or a network; for hosts that are addresses.
        case network(NetworkRange)
    }

    /// A variable that names no proxy that could be used.
    struct Fault: Error {
        let variable: String
    }

    init(_ environment: [String: String]) throws(Fault) {
        let all = try Self.parent(["all_proxy", "ALL_PROXY"], environment)
        plain = try Self.parent(["http_proxy"], environment) ?? all
        secure = try Self.parent(["https_proxy", "HTTPS_PROXY"], environment) ?? all
        exceptions = Self.exceptions(environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
    }

    private static func parent(
        _ names: [String], _ environment: [String: String]
    ) throws(Fault) -> ParentProxy? {
        guard let name = names.first(where: { environment[$0]?.isEmpty == false }), let text = environment[name] else {
            return nil
        }
        guard let parent = ParentProxy(text, isLenient: true) else { throw Fault(variable: name) }
        return parent
    }

    private static func exceptions(_ text: String) -> [Exception] {
        if text == "*" { return [.everything] }
        return text.split { $0 == "," || $0 == " " || $0 == "\t" }.compactMap { word in
            if let network = NetworkRange(String(word)) { return .network(network) }
            let name = word.hasPrefix(".") ? word.dropFirst() : word
            return HostText.hostName(String(name)).map { .domain($0) }
        }
    }
}

internal import Settings

/// Where clients reach a proxy.
enum ClientAddress {
    /// What is said, or where it listens; what listens on every address is reached under the loopback one.
    static func of(_ setup: ClientSetupSettings, listen: [ListenAddress]) -> String? {
        setup.proxy ?? listen.first.flatMap(reachable)
    }

    static func reachable(_ address: ListenAddress) -> String? {
        guard case .tcp(let host, let port) = address else { return nil }
        let loopback = ["0.0.0.0": "127.0.0.1", "::": "::1"]
        return "\(ListenAddress.tcp(host: loopback[host] ?? host, port: port))"
    }
}

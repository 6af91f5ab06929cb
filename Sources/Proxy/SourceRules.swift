public import EventLoop

/// Which clients are served, judged on the address that they connect from. Pure.
public struct SourceRules: Sendable {
    /// Networks whose clients are served; empty: everybody on loopback and private networks.
    public var allowed: [Network]

    public init(allowed: [Network] = []) {
        self.allowed = allowed
    }

    /// Loopback is always served; who listens beyond it without a list serves private addresses only.
    public func allows(_ client: SocketAddress) -> Bool {
        if client.isLoopback { return true }
        return allowed.isEmpty ? client.isPrivate : allowed.contains { $0.contains(client) }
    }
}

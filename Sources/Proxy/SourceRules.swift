public import EventLoop

/// Which clients are served, judged on the address that they connect from. Pure.
public struct SourceRules: Sendable {
    /// Networks whose clients are served; empty: everybody on loopback and private networks.
    public var allowed: [Network]
    /// Whether clients of any address are served where no networks are listed: they have to name themselves.
    public var servesKnownUsers: Bool

    public init(allowed: [Network] = [], servesKnownUsers: Bool = false) {
        self.allowed = allowed
        self.servesKnownUsers = servesKnownUsers
    }

    /// Loopback is always served; who listens beyond it without a list serves private addresses only.
    public func allows(_ client: SocketAddress) -> Bool {
        if client.isLoopback { return true }
        if allowed.isEmpty { return servesKnownUsers || client.isPrivate }
        return allowed.contains { $0.contains(client) }
    }
}

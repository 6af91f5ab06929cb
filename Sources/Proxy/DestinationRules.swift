public import EventLoop
public import HTTP
public import WAFTokens

/// Where clients may be taken, judged on the socket address that is about to be connected, and by name before that.
///
/// Pure. Order: always-refused addresses, the proxy's own listeners, the operator's denials, the operator's
/// permissions, loopback for loopback clients, private networks.
public struct DestinationRules: Sendable {
    /// Why a destination is refused; the text is one sentence for a person.
    public enum Verdict: Sendable, Hashable {
        case allowed
        case cloudMetadata
        case ownListener
        case denied
        case notInAllowList
        case loopbackForOthers
        case privateNetwork

        var sentence: StaticString {
            switch self {
            case .allowed: "the destination is allowed"
            case .cloudMetadata: "cloud metadata addresses are never reached through the proxy"
            case .ownListener: "the destination is the proxy itself"
            case .denied: "the destination is on the operator's deny list (access.denyDestinations)"
            case .notInAllowList: "the destination is not on the operator's list (access.allowDestinations)"
            case .loopbackForOthers:
                "loopback destinations are for clients on loopback; list them in access.allowDestinations"
            case .privateNetwork: "private networks are not allowed (access.allowPrivateNetworks)"
            }
        }
    }

    /// An operator's list: networks, and hosts by name.
    public struct List: Sendable {
        let networks: [Network]
        let hosts: HostTable<Bool>

        /// A name that is listed twice counts once.
        public init(networks: [Network] = [], hosts: [HostPattern] = []) {
            self.networks = networks
            self.hosts = HostTable(Set(hosts))
            isEmpty = networks.isEmpty && hosts.isEmpty
        }

        let isEmpty: Bool

        func covers(_ target: Authority) -> Bool { hosts.lookUp(host: target.host, port: target.port) != nil }
        func covers(_ address: SocketAddress) -> Bool { networks.contains { $0.contains(address) } }
    }

    /// Entries that are refused whatever else holds.
    public var denied: List
    /// Entries that are allowed; where there are any, everything else but loopback for loopback clients is refused.
    public var allowed: List
    /// Whether private addresses that nobody listed may be reached.
    public var allowsPrivateNetworks: Bool
    /// What the proxy itself listens on.
    public var ownListeners: [SocketAddress]
    /// The machine's own addresses: a listener on 0.0.0.0 or :: is met under any of them.
    public var localAddresses: [SocketAddress]

    public init(
        denied: List = List(), allowed: List = List(), allowsPrivateNetworks: Bool = true,
        ownListeners: [SocketAddress] = [], localAddresses: [SocketAddress] = []
    ) {
        self.denied = denied
        self.allowed = allowed
        self.allowsPrivateNetworks = allowsPrivateNetworks
        self.ownListeners = ownListeners
        self.localAddresses = localAddresses
    }

    /// Names that lead to cloud metadata whatever they resolve to.
    static let metadataNames: Set<String> = [
        "metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal",
    ]

    /// Judges a host as the client named it; its address is judged when it is known.
    public func judge(_ target: Authority) -> Verdict {
        if Self.metadataNames.contains(target.host) { return .cloudMetadata }
        if target.host == LocalPage.host { return .ownListener }
        return denied.covers(target) ? .denied : .allowed
    }

    /// Judges the address that is about to be connected for `target`.
    public func judge(_ address: SocketAddress, for target: Authority, clientIsLoopback: Bool) -> Verdict {
        if address.isCloudMetadata { return .cloudMetadata }
        if isOwnListener(address) { return .ownListener }
        if denied.covers(address) || denied.covers(target) { return .denied }
        if lists(address, target) { return .allowed }
        if address.isLoopback { return clientIsLoopback ? .allowed : .loopbackForOthers }
        if !allowed.isEmpty { return .notInAllowList }
        if address.isPrivate, !allowsPrivateNetworks { return .privateNetwork }
        return .allowed
    }

    /// Judges what a parent will be told to connect for `target`, as it hides the address: by name, and by address where
    /// a literal stands in its place, in any spelling that a resolver takes.
    public func judge(behindParent told: Authority, for target: Authority, clientIsLoopback: Bool) -> Verdict {
        for authority in [target, told] {
            let verdict = judge(authority)
            guard verdict == .allowed else { return verdict }
        }
        let isLocal = told.host == "localhost" || told.host.hasSuffix(".localhost")
        let literal = SocketAddress(anySpelling: isLocal ? "127.0.0.1" : told.host, port: told.port)
        if let literal { return judge(literal, for: target, clientIsLoopback: clientIsLoopback) }
        return allowed.isEmpty || allowed.covers(target) ? .allowed : .notInAllowList
    }

    /// Whether an address is one that the proxy itself listens on.
    public func isOwn(_ address: SocketAddress) -> Bool { isOwnListener(address) }

    /// The judge of an upstream client, for clients on loopback: nil, or why the destination is refused. Requests of
    /// others refuse loopback themselves, but for what `lists` names.
    @Sendable func judge(_ address: SocketAddress, _ target: Authority) -> StaticString? {
        let verdict = judge(address, for: target, clientIsLoopback: true)
        return verdict == .allowed ? nil : verdict.sentence
    }

    /// Whether the operator's list of what is allowed names this destination.
    @Sendable func lists(_ address: SocketAddress, _ target: Authority) -> Bool {
        allowed.covers(address) || allowed.covers(target)
    }

    private func isOwnListener(_ address: SocketAddress) -> Bool {
        ownListeners.contains { listener in
            guard listener.port == address.port else { return false }
            if listener.isUnspecified {
                return address.isLoopback || localAddresses.contains { $0.isSameHost(as: address) }
            }
            return listener.isSameHost(as: address) || (address.isUnspecified && listener.isLoopback)
        }
    }
}

extension HostTable<Bool> {
    /// A table that knows these names and nothing more about them.
    public init(_ patterns: Set<HostPattern>) {
        do {
            try self.init([(patterns: Array(patterns), value: true)])
        } catch {
            preconditionFailure("a set holds no pattern twice: \(error)")
        }
    }
}

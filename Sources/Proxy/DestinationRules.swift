public import EventLoop
internal import HTTP

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

    /// One entry of an operator's list: a network, or a host name (exact, or `*.` and a suffix).
    public enum Entry: Sendable, Hashable {
        case network(Network)
        case name(String)
        case suffix(String)
    }

    /// Entries that are refused whatever else holds.
    public var denied: [Entry]
    /// Entries that are allowed; where there are any, everything else but loopback for loopback clients is refused.
    public var allowed: [Entry]
    /// Whether private addresses that nobody listed may be reached.
    public var allowsPrivateNetworks: Bool
    /// What the proxy itself listens on.
    public var ownListeners: [SocketAddress]
    /// The machine's own addresses: a listener on 0.0.0.0 or :: is met under any of them.
    public var localAddresses: [SocketAddress]

    public init(
        denied: [Entry] = [], allowed: [Entry] = [], allowsPrivateNetworks: Bool = true,
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

    /// Judges a host as the client named it: lower-case, without a trailing dot. An address is judged later.
    public func judge(name host: String) -> Verdict {
        if Self.metadataNames.contains(host) { return .cloudMetadata }
        return denied.contains { $0.covers(name: host) } ? .denied : .allowed
    }

    /// Judges the address that is about to be connected for `host`.
    public func judge(_ address: SocketAddress, name host: String, clientIsLoopback: Bool) -> Verdict {
        if address.isCloudMetadata { return .cloudMetadata }
        if isOwnListener(address) { return .ownListener }
        if denied.contains(where: { $0.covers(address) || $0.covers(name: host) }) { return .denied }
        if allowed.contains(where: { $0.covers(address) || $0.covers(name: host) }) { return .allowed }
        if address.isLoopback { return clientIsLoopback ? .allowed : .loopbackForOthers }
        if !allowed.isEmpty { return .notInAllowList }
        if address.isPrivate, !allowsPrivateNetworks { return .privateNetwork }
        return .allowed
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

extension DestinationRules.Entry {
    /// Parses `10.0.0.0/8`, `::1`, `shop.test` or `*.shop.test`; nil if it is none of these.
    public init?(parsing text: String) {
        if let network = Network(parsing: text) {
            self = .network(network)
            return
        }
        let isSuffix = text.hasPrefix("*.")
        let bytes = Array((isSuffix ? text.dropFirst(2) : text[...]).utf8)
        guard let authority = try? Authority(parsing: bytes.span, defaultPort: 0), authority.port == 0 else { return nil }
        self = isSuffix ? .suffix("." + authority.host) : .name(authority.host)
    }

    func covers(name host: String) -> Bool {
        switch self {
        case .network: false
        case .name(let name): host == name
        case .suffix(let suffix): host.hasSuffix(suffix)
        }
    }

    func covers(_ address: SocketAddress) -> Bool {
        if case .network(let network) = self { network.contains(address) } else { false }
    }
}

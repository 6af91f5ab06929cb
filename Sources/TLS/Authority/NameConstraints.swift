/// For which names an authority may sign (RFC 5280 §4.2.1.10): what keeps a stolen authority from being good for more
/// than the hosts that its proxy intercepts.
///
/// A kind of name that is not listed at all (names, IPv4, IPv6) is excluded as a whole, as constraints of one kind say
/// nothing about another. Equal sets of hosts make equal constraints, whatever their order and spelling.
public struct NameConstraints: Sendable, Hashable {
    /// `shop.test` permits the name and all below it, `.api.shop.test` those below alone. Lower case, sorted.
    public let permittedDNS: [String]
    /// Single addresses without brackets, in the spelling of inet_ntop(3), sorted.
    public let permittedIPs: [String]

    /// Reads listed hosts: names, `*.` before a name, addresses with or without brackets; no ports.
    ///
    /// Throws `malformedInput` for what is none of these.
    public init(hosts: [String]) throws(TLSError) {
        var names: Set<String> = []
        var addresses: Set<String> = []
        for host in hosts {
            let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
            if let octets = IPOctets(bare) {
                addresses.insert(octets.text)
            } else {
                names.insert(try Self.subtree(of: host))
            }
        }
        permittedDNS = names.sorted()
        permittedIPs = addresses.sorted()
    }

    private static func subtree(of host: String) throws(TLSError) -> String {
        let name = (host.hasSuffix(".") ? host.dropLast() : host[...]).lowercased()
        let isFine = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "[") }
        guard isFine, (1...253).contains(name.utf8.count), !name.hasPrefix(".") else {
            throw TLSError(.malformedInput, "no host to permit", faults: [])
        }
        return name.hasPrefix("*.") ? String(name.dropFirst()) : name
    }

    /// Whether the authority may sign for this host: lower case, no trailing dot, no brackets.
    public func permits(_ host: String) -> Bool {
        if let octets = IPOctets(host) { return permittedIPs.contains(octets.text) }
        return permittedDNS.contains { tree in
            host == tree || host.hasSuffix(tree.hasPrefix(".") ? tree : ".\(tree)")
        }
    }

    /// Whether all that `other` permits is permitted here.
    public func permits(all other: NameConstraints) -> Bool {
        Set(other.permittedIPs).isSubset(of: permittedIPs)
            && other.permittedDNS.allSatisfy { wanted in
                permittedDNS.contains { $0 == wanted || wanted.hasSuffix($0.hasPrefix(".") ? $0 : ".\($0)") }
            }
    }

    /// 16 hexadecimal digits that are the same for equal constraints, in every version: the name of a folder.
    public var fingerprint: String {
        let lines = permittedDNS.map { "dns \($0)\n" } + permittedIPs.map { "ip \($0)\n" }
        return String(SHA256.hash(Array(lines.joined().utf8).span).hex.prefix(16))
    }
}

/// An address or a network: `10.0.0.0/8`, `::1`, `fd00::/8`.
public struct NetworkRange: Sendable, Hashable, CustomStringConvertible {
    /// Network bytes, 4 or 16; those beyond the prefix are zero.
    public let bytes: [UInt8]
    /// How many leading bits count.
    public let prefixLength: Int
    /// The canonical spelling.
    public let description: String

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(HostText.withoutBrackets(String(parts[0]))) else { return nil }
        let bits = address.bytes.count * 8
        guard parts.count == 2 else {
            bytes = address.bytes
            prefixLength = bits
            description = address.description
            return
        }
        guard let length = Int(decimal: parts[1]), length <= bits else { return nil }
        // A bit set beyond the prefix is a slip of the pen: 10.0.0.1/8 names no network.
        for bit in length..<bits where address.bytes[bit / 8] & (0x80 >> (bit % 8)) != 0 { return nil }
        bytes = address.bytes
        prefixLength = length
        description = "\(address)/\(length)"
    }
}

/// One rule about destinations.
public enum DestinationRule: Sendable, Hashable, CustomStringConvertible {
    /// By name, as a host pattern: `*.shop.test`, `shop.test:8443`, `shop.test:*`.
    case host(String)
    /// By the address that is dialled.
    case network(NetworkRange)

    /// The spelling that is read, too.
    public var description: String {
        switch self {
        case .host(let pattern): pattern
        case .network(let range): range.description
        }
    }
}

/// An authority that is dialled elsewhere; name, SNI and `Host` stay.
public struct ResolveEntry: Sendable, Hashable, CustomStringConvertible {
    /// Name or address asked for, lower-case, IPv6 without brackets.
    public let host: String
    /// Port asked for.
    public let port: UInt16
    /// Name or address dialled.
    public let targetHost: String
    /// Port dialled.
    public let targetPort: UInt16

    /// `shop.test:443=127.0.0.1:8443`
    public var description: String {
        "\(HostText.joined(host, port))=\(HostText.joined(targetHost, targetPort))"
    }
}

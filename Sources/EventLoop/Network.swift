/// An address block in CIDR form (RFC 4632, RFC 4291 §2.3); a lone address is a block of one.
public struct Network: Sendable, Hashable, CustomStringConvertible {
    private let base: SocketAddress
    /// Counted on the 128-bit form, in which IPv4 starts at bit 96.
    private let prefix: Int

    /// Parses `10.0.0.0/8`, `192.0.2.1`, `fc00::/7` or `::1`; nil if it is none of these.
    public init?(parsing text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = SocketAddress(ip: String(parts[0]), port: 0) else { return nil }
        let width = base.isIPv4 ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard let given = Int(parts[1]), (0...width).contains(given), !parts[1].hasPrefix("+") else { return nil }
            length = given
        }
        self.base = base
        prefix = base.isIPv4 ? 96 + length : length
    }

    /// Whether `address` lies in the block; IPv4 inside IPv6 counts as that IPv4 address for IPv4 blocks.
    public func contains(_ address: SocketAddress) -> Bool {
        var other = address.bytes
        if base.isIPv4 {
            guard let v4 = address.embeddedIPv4 else { return false }
            other = base.bytes
            for i in 0..<4 { other[12 + i] = UInt8(truncatingIfNeeded: v4 >> (24 - 8 * UInt32(i))) }
        }
        for i in 0..<16 {
            let bits = min(max(prefix - 8 * i, 0), 8)
            let mask = UInt8(truncatingIfNeeded: 0xff00 >> bits)
            if (base.bytes[i] ^ other[i]) & mask != 0 { return false }
        }
        return true
    }

    public var description: String { "\(base.host)/\(base.isIPv4 ? prefix - 96 : prefix)" }
}

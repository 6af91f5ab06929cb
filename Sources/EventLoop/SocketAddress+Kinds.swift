/// What kind of network an address belongs to, judged on its bytes; IPv4 inside IPv6 counts as that IPv4 address.
extension SocketAddress {
    /// The IPv4 address that this is, or that it carries as v4-mapped, v4-compatible (RFC 4291 §2.5.5) or behind the
    /// well-known NAT64 prefix 64:ff9b::/96 (RFC 6052 §2.1); most significant byte first.
    public var embeddedIPv4: UInt32? {
        let value = (UInt32(bytes[12]) << 24) | (UInt32(bytes[13]) << 16) | (UInt32(bytes[14]) << 8) | UInt32(bytes[15])
        if isIPv4 { return value }
        let isZeroTo10 = (0..<10).allSatisfy { bytes[$0] == 0 }
        if isZeroTo10, bytes[10] == 0xff, bytes[11] == 0xff { return value }
        if isZeroTo10, bytes[10] == 0, bytes[11] == 0, value > 0xffff { return value }
        if bytes[0] == 0x00, bytes[1] == 0x64, bytes[2] == 0xff, bytes[3] == 0x9b,
            (4..<12).allSatisfy({ bytes[$0] == 0 })
        {
            return value
        }
        return nil
    }

    /// 127/8, ::1, and the unspecified addresses, which Linux connects to the machine itself.
    public var isLoopback: Bool {
        if let v4 = embeddedIPv4 { return v4 >> 24 == 127 || v4 == 0 }
        return (0..<15).allSatisfy { bytes[$0] == 0 } && bytes[15] <= 1
    }

    /// 0.0.0.0 or ::.
    public var isUnspecified: Bool {
        if let v4 = embeddedIPv4 { return v4 == 0 }
        return bytes == SIMD16(repeating: 0)
    }

    /// Loopback, 10/8, 172.16/12, 192.168/16, 169.254/16, 100.64/10, fc00::/7, fe80::/10.
    public var isPrivate: Bool {
        if isLoopback { return true }
        guard let v4 = embeddedIPv4 else {
            return bytes[0] & 0xfe == 0xfc || (bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80)
        }
        return v4 >> 24 == 10 || v4 >> 20 == 0xac1 || v4 >> 16 == 0xc0a8 || v4 >> 16 == 0xa9fe || v4 >> 22 == 0x191
    }

    /// The addresses under which clouds serve credentials to their machines.
    public var isCloudMetadata: Bool {
        if let v4 = embeddedIPv4 {
            switch v4 {
            case 0xa9fe_a9fe, 0xa9fe_aa02, 0xa9fe_aa17, 0x6464_64c8, 0xa83f_8110: return true
            default: return false
            }
        }
        // fd00:ec2::254 and fd00:ec2::23
        guard bytes[0] == 0xfd, bytes[1] == 0, bytes[2] == 0x0e, bytes[3] == 0xc2,
            (4..<14).allSatisfy({ bytes[$0] == 0 })
        else { return false }
        return (bytes[14] == 0x02 && bytes[15] == 0x54) || (bytes[14] == 0 && bytes[15] == 0x23)
    }

    /// Whether both name the same host, whatever the port and whichever family carries an IPv4 address.
    public func isSameHost(as other: SocketAddress) -> Bool {
        if let mine = embeddedIPv4, let theirs = other.embeddedIPv4 { return mine == theirs }
        return bytes == other.bytes
    }
}

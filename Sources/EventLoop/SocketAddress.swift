internal import CUV
internal import Glibc

/// An IPv4 or IPv6 socket address: what is bound or connected, after every name and spelling has been resolved.
///
/// Destination rules are judged on this, never on text (`2130706433`, `[::ffff:127.0.0.1]` …).
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// 16 bytes in network order; an IPv4 address is held as v4-mapped (RFC 4291 §2.5.5.2).
    let bytes: SIMD16<UInt8>
    /// Whether the socket is of family AF_INET.
    public let isIPv4: Bool
    /// Host order.
    public let port: UInt16
    /// Interface of a link-local IPv6 address, 0 for none.
    let scope: UInt32

    /// Parses an address literal, IPv6 without brackets (inet_pton(3): no other spelling of IPv4 is taken).
    public init?(ip: String, port: UInt16) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, ip, &v4) == 1 {
            self.init(v4: v4, port: port)
        } else if inet_pton(AF_INET6, ip, &v6) == 1 {
            self.init(v6: v6, port: port, scope: 0)
        } else {
            return nil
        }
    }

    /// Parses an address in any spelling that name look-ups take, `2130706433` and `0x7f.1` among them (inet_aton(3)).
    public init?(anySpelling text: String, port: UInt16) {
        if let plain = SocketAddress(ip: text, port: port) {
            self = plain
            return
        }
        var v4 = in_addr()
        guard inet_aton(text, &v4) != 0 else { return nil }
        self.init(v4: v4, port: port)
    }

    /// Copies a `sockaddr_in` or `sockaddr_in6` (ip(7), ipv6(7)); nil for any other family.
    public init?(sockaddr raw: UnsafeRawPointer?) {
        guard let raw else { return nil }
        switch Int32(raw.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            let value = raw.loadUnaligned(as: sockaddr_in.self)
            self.init(v4: value.sin_addr, port: UInt16(bigEndian: value.sin_port))
        case AF_INET6:
            let value = raw.loadUnaligned(as: sockaddr_in6.self)
            self.init(v6: value.sin6_addr, port: UInt16(bigEndian: value.sin6_port), scope: value.sin6_scope_id)
        default:
            return nil
        }
    }

    private init(v4: in_addr, port: UInt16) {
        var bytes = SIMD16<UInt8>(repeating: 0)
        bytes[10] = 0xff
        bytes[11] = 0xff
        withUnsafeBytes(of: v4) { for i in 0..<4 { bytes[12 + i] = $0[i] } }
        self.init(bytes: bytes, isIPv4: true, port: port, scope: 0)
    }

    private init(v6: in6_addr, port: UInt16, scope: UInt32) {
        var bytes = SIMD16<UInt8>(repeating: 0)
        withUnsafeBytes(of: v6) { for i in 0..<16 { bytes[i] = $0[i] } }
        self.init(bytes: bytes, isIPv4: false, port: port, scope: scope)
    }

    private init(bytes: SIMD16<UInt8>, isIPv4: Bool, port: UInt16, scope: UInt32) {
        self.bytes = bytes
        self.isIPv4 = isIPv4
        self.port = port
        self.scope = scope
    }

    /// The address's 4 or 16 bytes in network order.
    public var octets: [UInt8] { (isIPv4 ? 12..<16 : 0..<16).map { bytes[$0] } }

    /// The same address with another port.
    public func with(port: UInt16) -> SocketAddress {
        SocketAddress(bytes: bytes, isIPv4: isIPv4, port: port, scope: scope)
    }

    /// Lends the address in the system's form: a `sockaddr_in` or `sockaddr_in6`, and its length in bytes.
    public func withSockaddr<Result, Failure: Error>(
        _ body: (UnsafeRawPointer, UInt32) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var storage = sockaddr_storage()
        let length: socklen_t
        if isIPv4 {
            var v4 = sockaddr_in()
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &v4.sin_addr) { for i in 0..<4 { $0[i] = bytes[12 + i] } }
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v4, as: sockaddr_in.self) }
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
        } else {
            var v6 = sockaddr_in6()
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            v6.sin6_scope_id = scope
            withUnsafeMutableBytes(of: &v6.sin6_addr) { for i in 0..<16 { $0[i] = bytes[i] } }
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v6, as: sockaddr_in6.self) }
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        }
        return try withUnsafePointer(to: &storage) { pointer throws(Failure) -> Result in
            try body(UnsafeRawPointer(pointer), length)
        }
    }

    /// `127.0.0.1` or `::1`, without brackets.
    public var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        withSockaddr { address, _ in
            _ =
                isIPv4
                ? uv_ip4_name(address.assumingMemoryBound(to: sockaddr_in.self), &text, text.count)
                : uv_ip6_name(address.assumingMemoryBound(to: sockaddr_in6.self), &text, text.count)
        }
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// `127.0.0.1:8080` or `[::1]:8080`.
    public var description: String {
        isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)"
    }
}

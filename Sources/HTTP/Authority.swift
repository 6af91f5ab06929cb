/// A host and a port, in the one spelling by which they are compared.
public struct Authority: Sendable, Hashable, CustomStringConvertible {
    /// Lower case, no trailing dot; IPv6 without brackets.
    public let host: String
    public let port: UInt16
    public let isIPv6Literal: Bool

    /// An authority whose host is in the spelling above already.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
        isIPv6Literal = host.utf8.contains(UInt8(ascii: ":"))
    }

    /// Parses `host`, `host:port` or `[v6]:port` (RFC 3986 §3.2).
    ///
    /// Throws `userinfoInTarget`, `portMissing` where no default is given, and `malformedAuthority` for anything else:
    /// an empty host, a zone, a port that is not 0–65535.
    public init(parsing bytes: Span<UInt8>, defaultPort: UInt16?) throws(HTTPError) {
        for index in 0..<bytes.count where bytes[index] == UInt8(ascii: "@") {
            throw HTTPError(.userinfoInTarget)
        }
        let hostEnd: Int
        var hostRange: Range<Int>
        if bytes.count > 0, bytes[0] == UInt8(ascii: "[") {
            let close = bytes.firstIndex(of: UInt8(ascii: "]"), in: 0..<bytes.count)
            guard close < bytes.count, close > 2 else { throw HTTPError(.malformedAuthority) }
            hostRange = 1..<close
            hostEnd = close + 1
            isIPv6Literal = true
        } else {
            hostEnd = bytes.firstIndex(of: UInt8(ascii: ":"), in: 0..<bytes.count)
            hostRange = 0..<hostEnd
            if hostRange.count > 1, bytes[hostEnd - 1] == UInt8(ascii: ".") {
                hostRange = 0..<(hostEnd - 1)
            }
            isIPv6Literal = false
        }
        guard !hostRange.isEmpty, hostRange.count <= 255 else { throw HTTPError(.malformedAuthority) }
        for index in hostRange {
            let byte = bytes[index]
            let isFine = isIPv6Literal ? Self.isIPv6Byte(byte) : ByteKind.of(byte).contains(.hostName)
            guard isFine else { throw HTTPError(.malformedAuthority) }
        }
        port = try Self.port(bytes, hostEnd..<bytes.count, defaultPort)
        let name = String(unsafeUninitializedCapacity: hostRange.count) { buffer in
            for (offset, index) in hostRange.enumerated() { buffer[offset] = lowercased(bytes[index]) }
            return hostRange.count
        }
        host = name
    }

    private static func port(_ bytes: Span<UInt8>, _ range: Range<Int>, _ fallback: UInt16?)
        throws(HTTPError) -> UInt16
    {
        // `host:` means the default port (RFC 3986 §3.2.3).
        if range.count <= 1 {
            if range.count == 1, bytes[range.lowerBound] != UInt8(ascii: ":") {
                throw HTTPError(.malformedAuthority)
            }
            guard let fallback else { throw HTTPError(.portMissing) }
            return fallback
        }
        guard bytes[range.lowerBound] == UInt8(ascii: ":"), range.count <= 6 else {
            throw HTTPError(.malformedAuthority)
        }
        var number = 0
        for index in range.dropFirst() {
            guard ByteKind.of(bytes[index]).contains(.digit) else { throw HTTPError(.malformedAuthority) }
            number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        guard let port = UInt16(exactly: number) else { throw HTTPError(.malformedAuthority) }
        return port
    }

    private static func isIPv6Byte(_ byte: UInt8) -> Bool {
        ByteKind.of(byte).contains(.digit) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
            || (lowercased(byte) >= UInt8(ascii: "a") && lowercased(byte) <= UInt8(ascii: "f"))
    }

    /// `shop.test:443` or `[::1]:443`.
    public var description: String { isIPv6Literal ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

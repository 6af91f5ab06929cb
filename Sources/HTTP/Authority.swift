/// A host and a port, in the one spelling by which they are compared.
public struct Authority: Sendable, Hashable, CustomStringConvertible {
    /// Lower case, no trailing dot; IPv6 without brackets, in the form of RFC 5952.
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
    /// an empty host or label, bytes that no host name has (non-ASCII, `%`), a zone, a port that is not 1–65535. None of
    /// these has lost the framing: a whole head has been read by then.
    public init(parsing bytes: Span<UInt8>, defaultPort: UInt16?) throws(HTTPError) {
        guard let text = AuthorityText(bytes) else {
            let hasUser = bytes.firstIndex(of: UInt8(ascii: "@"), in: 0..<bytes.count) < bytes.count
            throw HTTPError(hasUser ? .userinfoInTarget : .malformedAuthority, framingLost: false)
        }
        guard let port = text.port ?? defaultPort else { throw HTTPError(.portMissing, framingLost: false) }
        self.port = port
        let range = text.host
        if let address = text.address {
            host = address.description
            isIPv6Literal = true
        } else {
            host = String(unsafeUninitializedCapacity: range.count) { buffer in
                for offset in 0..<range.count { buffer[offset] = lowercased(bytes[range.lowerBound + offset]) }
                return range.count
            }
            isIPv6Literal = false
        }
    }

    /// Whether the host is an address, IPv6 or dotted IPv4. Other spellings of addresses (`2130706433`) are names here.
    public var isIPLiteral: Bool { isIPv6Literal || IPLiteral.isIPv4(host) }

    /// `shop.test:443` or `[::1]:443`.
    public var description: String { isIPv6Literal ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The parts of an authority without user information.
struct AuthorityText {
    /// Without brackets and without one trailing dot.
    let host: Range<Int>
    /// Set for a host in brackets.
    let address: IPv6Address?
    /// nil where none is named, and for `host:` (RFC 3986 §3.2.3).
    let port: UInt16?

    private static let maxHostBytes = 255

    /// nil: malformed.
    init?(_ bytes: Span<UInt8>) {
        let hostEnd: Int
        if bytes.count > 0, bytes[0] == UInt8(ascii: "[") {
            let close = bytes.firstIndex(of: UInt8(ascii: "]"), in: 0..<bytes.count)
            guard close < bytes.count, let parsed = IPv6Address(parsing: bytes.extracting(1..<close)) else {
                return nil
            }
            address = parsed
            host = 1..<close
            hostEnd = close + 1
        } else {
            guard let end = Self.endOfName(bytes) else { return nil }
            address = nil
            hostEnd = end
            host = 0..<(bytes[end - 1] == UInt8(ascii: ".") ? end - 1 : end)
        }
        if hostEnd == bytes.count || (hostEnd == bytes.count - 1 && bytes[hostEnd] == UInt8(ascii: ":")) {
            port = nil
        } else {
            guard let number = Self.port(bytes, hostEnd) else { return nil }
            port = number
        }
    }

    /// The end of a host name: labels of one byte or more, one dot after the last at most.
    private static func endOfName(_ bytes: Span<UInt8>) -> Int? {
        var end = 0
        var isLabelEmpty = true
        while end < bytes.count, ByteKind.of(bytes[end]).contains(.hostName) {
            if bytes[end] == UInt8(ascii: ".") {
                if isLabelEmpty { return nil }
                isLabelEmpty = true
            } else {
                isLabelEmpty = false
            }
            end += 1
        }
        return end > 0 && end <= maxHostBytes ? end : nil
    }

    private static func port(_ bytes: Span<UInt8>, _ colon: Int) -> UInt16? {
        guard bytes[colon] == UInt8(ascii: ":"), bytes.count - colon <= 6 else { return nil }
        var number = 0
        for index in (colon + 1)..<bytes.count {
            guard isDigit(bytes[index]) else { return nil }
            number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        return number == 0 ? nil : UInt16(exactly: number)
    }
}

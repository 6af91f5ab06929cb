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
    /// an empty host or label, a zone, a port that is not 1–65535.
    public init(parsing bytes: Span<UInt8>, defaultPort: UInt16?) throws(HTTPError) {
        let parts = try AuthorityParts(bytes)
        guard let port = parts.port ?? defaultPort else { throw HTTPError(.portMissing) }
        self.port = port
        isIPv6Literal = parts.isIPv6Literal
        host = String(unsafeUninitializedCapacity: parts.host.count) { buffer in
            for (offset, index) in parts.host.enumerated() { buffer[offset] = lowercased(bytes[index]) }
            return parts.host.count
        }
    }

    /// `shop.test:443` or `[::1]:443`.
    public var description: String { isIPv6Literal ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Where the parts of an authority are.
struct AuthorityParts {
    /// Without brackets and trailing dot.
    let host: Range<Int>
    let isIPv6Literal: Bool
    /// nil where none is given; `host:` gives none (RFC 3986 §3.2.3).
    let port: UInt16?

    init(_ bytes: Span<UInt8>) throws(HTTPError) {
        guard bytes.firstIndex(of: UInt8(ascii: "@"), in: 0..<bytes.count) == bytes.count else {
            throw HTTPError(.userinfoInTarget)
        }
        if bytes.count > 0, bytes[0] == UInt8(ascii: "[") {
            let close = bytes.firstIndex(of: UInt8(ascii: "]"), in: 0..<bytes.count)
            guard close < bytes.count, IPv6Text.isValid(bytes.extracting(1..<close)) else {
                throw HTTPError(.malformedAuthority)
            }
            host = 1..<close
            isIPv6Literal = true
            port = try Self.port(bytes, (close + 1)..<bytes.count)
        } else {
            let end = bytes.firstIndex(of: UInt8(ascii: ":"), in: 0..<bytes.count)
            host = try Self.name(bytes, 0..<end)
            isIPv6Literal = false
            port = try Self.port(bytes, end..<bytes.count)
        }
    }

    /// Labels with a dot between them, and one at the end that means nothing here; 255 bytes (RFC 1035 §2.3.4).
    private static func name(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(HTTPError) -> Range<Int> {
        guard !range.isEmpty, range.count <= 256 else { throw HTTPError(.malformedAuthority) }
        var labelStart = range.lowerBound
        for index in range {
            if bytes[index] == UInt8(ascii: ".") {
                guard index > labelStart else { throw HTTPError(.malformedAuthority) }
                labelStart = index + 1
            } else if !ByteKind.of(bytes[index]).contains(.hostName) {
                throw HTTPError(.malformedAuthority)
            }
        }
        let name = labelStart == range.upperBound ? range.dropLast() : range
        guard name.count <= 255 else { throw HTTPError(.malformedAuthority) }
        return name
    }

    private static func port(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(HTTPError) -> UInt16? {
        if range.isEmpty { return nil }
        guard bytes[range.lowerBound] == UInt8(ascii: ":"), range.count <= 6 else {
            throw HTTPError(.malformedAuthority)
        }
        if range.count == 1 { return nil }
        var number = 0
        for index in range.dropFirst() {
            guard ByteKind.of(bytes[index]).contains(.digit) else { throw HTTPError(.malformedAuthority) }
            number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        guard let port = UInt16(exactly: number), port > 0 else { throw HTTPError(.malformedAuthority) }
        return port
    }
}

public import Telemetry

/// A parent proxy as it is written: `http://user:password@host:port`, `https://…`, `socks5://…` or `socks5h://…`.
extension ParentProxy {
    /// `http://<redacted>@10.0.0.1:3128`
    var shown: String {
        "\(kind.rawValue)://\(credentials == nil ? "" : "<redacted>@")\(HostText.joined(host, port))"
    }

    /// Reads a URL; nil for anything else. A path of `/` alone is let through.
    ///
    /// - Parameter isLenient: as curl reads its variables: no scheme is http, and there are default ports.
    init?(_ text: String, isLenient: Bool = false) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), text.utf8.count <= 4096 else { return nil }
        let scheme = text.firstRange(of: "://")
        let kind: Kind
        switch scheme.map({ HostText.lowercased(String(text[..<$0.lowerBound])) }) {
        case "http": kind = .http
        case nil where isLenient: kind = .http
        case "https": kind = .https
        case "socks5", "socks5h": kind = .socks5
        default: return nil
        }
        var rest = text[(scheme?.upperBound ?? text.startIndex)...]
        if rest.last == "/" { rest.removeLast() }
        var credentials: Credentials?
        if let at = rest.lastIndex(of: "@") {
            credentials = Self.credentials(rest[..<at])
            guard credentials != nil else { return nil }
            rest = rest[rest.index(after: at)...]
        }
        guard let (name, number) = HostText.split(String(rest)), let host = HostText.host(name) else { return nil }
        let defaultPort: UInt16? = isLenient ? (kind == .https ? 443 : 1080) : nil
        guard let port = number.map({ UInt16(decimal: $0) }) ?? defaultPort, port > 0 else { return nil }
        self.init(kind: kind, host: host, port: port, credentials: credentials)
    }

    /// `user:password`, each with `%XX` for what a URL cannot hold (RFC 3986 §3.2.1).
    private static func credentials(_ text: Substring) -> Credentials? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = parts.compactMap { Self.decoded($0) }
        guard decoded.count == parts.count, !decoded[0].isEmpty else { return nil }
        return Credentials(user: Redacted(decoded[0]), password: Redacted(decoded.count == 2 ? decoded[1] : ""))
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, !digits.hasPrefix("+"),
                let value = UInt8(digits, radix: 16), value >= 0x20, value != 0x7f
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

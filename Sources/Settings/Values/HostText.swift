/// What a host, an authority and a host pattern look like in a configuration.
enum HostText {
    /// A pattern in its canonical spelling, or nil: an exact name or address, or `*.` before a name; a port or `:*`.
    static func pattern(_ text: String) -> String? {
        guard let (host, port) = split(text) else { return nil }
        let name: String
        if host.hasPrefix("*.") {
            guard let base = hostName(String(host.dropFirst(2))), IPAddress(base) == nil else { return nil }
            name = "*." + base
        } else {
            guard let exact = self.host(host) else { return nil }
            name = exact.utf8.contains(UInt8(ascii: ":")) ? "[\(exact)]" : exact
        }
        guard let port else { return name }
        if port == "*" { return name + ":*" }
        guard let number = UInt16(decimal: port), number > 0 else { return nil }
        return "\(name):\(number)"
    }

    /// A name or address with its port.
    static func authority(_ text: String) -> (host: String, port: UInt16)? {
        guard let (host, port) = split(text), let host = self.host(host), let port,
            let number = UInt16(decimal: port), number > 0
        else { return nil }
        return (host, number)
    }

    /// A name, or an address in its canonical spelling.
    static func host(_ text: String) -> String? {
        if let address = IPAddress(text) { return address.description }
        return hostName(text)
    }

    /// A DNS name in lower case without its trailing dot (RFC 1123 §2.1; an underscore is let through, as DNS does).
    static func hostName(_ text: String) -> String? {
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        guard !name.isEmpty, name.utf8.count <= 253 else { return nil }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        for label in labels {
            guard (1...63).contains(label.utf8.count), !label.hasPrefix("-"), !label.hasSuffix("-"),
                label.utf8.allSatisfy(isNameByte)
            else { return nil }
        }
        // A last label of digits is an address gone wrong, such as 127.0.0.256.
        guard let last = labels.last, !last.utf8.allSatisfy(isDigit) else { return nil }
        return lowercased(name)
    }

    /// Host (without brackets) and what follows its colon.
    static func split(_ text: String) -> (host: String, port: String?)? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let host = String(text[text.index(after: text.startIndex)..<end])
            guard host.utf8.contains(UInt8(ascii: ":")), IPAddress(host) != nil else { return nil }
            let rest = text[text.index(after: end)...]
            if rest.isEmpty { return (host, nil) }
            guard rest.hasPrefix(":") else { return nil }
            return (host, String(rest.dropFirst()))
        }
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return (text, nil)
        case 2: return (String(parts[0]), String(parts[1]))
        default: return nil
        }
    }

    static func withoutBrackets(_ text: String) -> String {
        text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    }

    /// `shop.test:443`, `[::1]:443`: what `split` reads.
    static func joined(_ host: String, _ port: UInt16) -> String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    static func lowercased(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

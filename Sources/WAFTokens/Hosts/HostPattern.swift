/// Which hosts a provider's token belongs to: an exact name or address, or `*.` before a name for one or more further
/// labels; on port 443 and 80, on one port, or with `:*` on any. No regular expressions.
///
/// Names are compared without case and without a trailing dot; IPv6 addresses stand in brackets.
public struct HostPattern: Sendable, Hashable, CustomStringConvertible {
    /// On which ports.
    public enum Ports: Sendable, Hashable {
        /// 443 and 80.
        case standard
        /// This one.
        case one(UInt16)
        /// Every one.
        case any
    }

    /// Why a text is no pattern.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// What is wrong, as a part of a sentence.
        public let description: String
    }

    /// The name or address, canonical: lower case, no trailing dot, no brackets, no `*.`.
    public let host: String
    /// Whether it stands for names below `host` (and not for `host` itself).
    public let isWildcard: Bool
    /// On which ports.
    public let ports: Ports

    /// Reads `shop.test`, `*.shop.test:8443`, `[::1]:*` and the like.
    public init(_ text: String) throws(Fault) {
        let (rest, ports) = try Self.split(text)
        self.ports = ports
        if rest.hasPrefix("*.") {
            let base = String(rest.dropFirst(2))
            guard Self.isHost(base), !AddressText.isAddress(base) else {
                throw Fault(description: "after \"*.\" a host name has to follow")
            }
            host = Self.canonicalHost(base)
            isWildcard = true
        } else {
            guard Self.isHost(rest) else {
                throw Fault(description: rest.contains("*") ? "\"*\" stands only first, as \"*.\"" : "it is no host")
            }
            host = Self.canonicalHost(rest)
            isWildcard = false
        }
    }

    /// The canonical spelling.
    public var description: String {
        let name = isWildcard ? "*.\(host)" : host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        switch ports {
        case .standard: return name
        case .one(let port): return "\(name):\(port)"
        case .any: return "\(name):*"
        }
    }

    /// Host without brackets, and ports.
    private static func split(_ text: String) throws(Fault) -> (String, Ports) {
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { throw Fault(description: "\"]\" is missing") }
            let address = String(text[text.index(after: text.startIndex)..<close])
            guard AddressText.isIPv6(address) else { throw Fault(description: "in brackets an IPv6 address belongs") }
            return (address, try ports(text[text.index(after: close)...]))
        }
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        guard colons <= 1 else { throw Fault(description: "an IPv6 address belongs in brackets") }
        guard let colon = text.firstIndex(of: ":") else { return (text, .standard) }
        return (String(text[..<colon]), try ports(text[colon...]))
    }

    private static func ports(_ text: Substring) throws(Fault) -> Ports {
        if text.isEmpty { return .standard }
        let port = text.dropFirst()
        if text.first == ":", port == "*" { return .any }
        guard text.first == ":", !port.isEmpty, port.utf8.allSatisfy(isDigit), let number = UInt16(port), number > 0
        else { throw Fault(description: "the port is 1 to 65535 or \"*\"") }
        return .one(number)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}

extension HostPattern {
    /// Whether `text` is an address without brackets or a host name (RFC 1123 §2.1; the underscore is let through).
    static func isHost(_ text: String) -> Bool {
        if AddressText.isAddress(text) { return true }
        let name = text.hasSuffix(".") ? text.dropLast() : text[...]
        guard (1...253).contains(name.utf8.count) else { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let areFine = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.utf8.first != UInt8(ascii: "-")
                && label.utf8.last != UInt8(ascii: "-") && label.utf8.allSatisfy(isNameByte)
        }
        // A last label of digits is an address gone wrong, such as 127.0.0.256.
        return areFine && !(labels.last?.utf8.allSatisfy(isDigit) ?? true)
    }

    /// Lower case, no trailing dot; an IPv6 address in the spelling of inet_ntop(3).
    static func canonicalHost(_ text: String) -> String {
        if let address = AddressText.canonicalIPv6(text) { return address }
        let name = text.hasSuffix(".") ? text.dropLast() : text[...]
        return String(decoding: name.utf8.map(asciiLowercased), as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch asciiLowercased(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The byte, or its small letter.
@inline(__always)
func asciiLowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
}

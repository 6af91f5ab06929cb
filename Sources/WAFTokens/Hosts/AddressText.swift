internal import Glibc

/// IP addresses as text (inet_pton(3)).
enum AddressText {
    static func isAddress(_ text: String) -> Bool {
        isIPv4(text) || isIPv6(text)
    }

    static func isIPv4(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
    }

    static func isIPv6(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }

    /// The one spelling of an IPv6 address (inet_ntop(3)); nil for anything else.
    static func canonicalIPv6(_ text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        let capacity = Int(INET6_ADDRSTRLEN)
        let spelled = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { characters in
                guard let start = inet_ntop(AF_INET6, &address, characters.baseAddress, socklen_t(capacity)) else {
                    return 0
                }
                return strlen(start)
            }
        }
        return String(decoding: spelled, as: UTF8.self)
    }
}

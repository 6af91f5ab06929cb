import Glibc

/// An IPv4 or IPv6 address in its network bytes (inet_pton(3)).
struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16 bytes.
    let bytes: [UInt8]

    /// Reads an address literal, IPv6 without brackets; nil for any other text.
    init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }  // inet_pton would stop there and take what stands before
        var buffer = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &buffer) == 1 {
            bytes = Array(buffer[..<4])
        } else if inet_pton(AF_INET6, text, &buffer) == 1 {
            bytes = buffer
        } else {
            return nil
        }
    }

    /// The canonical spelling, without brackets (inet_ntop(3)).
    var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

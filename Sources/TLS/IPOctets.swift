private import Glibc

/// The bytes of an address literal, as certificates hold them: 4 or 16, in network order.
struct IPOctets: Hashable {
    let bytes: [UInt8]

    /// Reads `192.0.2.1` or `2001:db8::1`, without brackets or zone (inet_pton(3)); nil for anything else.
    init?(_ text: String) {
        if let bytes = Self.read(text, AF_INET, size: 4) ?? Self.read(text, AF_INET6, size: 16) {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    /// Takes the bytes of an address; nil for any other number of bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    private static func read(_ text: String, _ family: Int32, size: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: size)
        return bytes.withUnsafeMutableBytes { inet_pton(family, text, $0.baseAddress) } == 1 ? bytes : nil
    }

    /// The one spelling of the address (inet_ntop(3)).
    var text: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            let family = bytes.count == 4 ? AF_INET : AF_INET6
            let text = bytes.withUnsafeBytes {
                inet_ntop(family, $0.baseAddress, buffer.baseAddress, socklen_t(buffer.count))
            }
            return text.map { String(cString: $0) } ?? ""
        }
    }
}

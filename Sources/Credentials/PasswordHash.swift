internal import CCrypt
internal import Glibc
internal import Telemetry

/// A password's hash as crypt(5) spells it: bcrypt (`$2y$`, `$2b$`, `$2a$`), SHA-512 (`$6$`), SHA-256 (`$5$`) or yescrypt
/// (`$y$`). MD5, DES and plain text are not taken: they are no protection.
struct PasswordHash: Sendable, Equatable {
    private let text: Redacted<String>

    private static let prefixes = ["$2y$", "$2b$", "$2a$", "$6$", "$5$", "$y$"]

    /// What is allowed, for a fault.
    static let allowed =
        "a hash of crypt(5) that begins with $2y$ (htpasswd -B), $6$ (htpasswd -5, openssl passwd -6), $5$ or $y$"

    /// Nil for anything else, and for what the system's libcrypt does not know.
    init?(_ text: String) {
        guard Self.prefixes.contains(where: text.hasPrefix), text.utf8.count < 256,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }),
            [CRYPT_SALT_OK, CRYPT_SALT_METHOD_LEGACY].contains(crypt_checksalt(text)), Self.isAffordable(text)
        else { return nil }
        self.text = Redacted(text)
    }

    /// Whether the work that the hash asks for ends: a mistyped cost can mean days.
    private static func isAffordable(_ text: String) -> Bool {
        let parts = text.split(separator: "$")
        guard parts.count >= 3 else { return false }
        switch parts[0] {
        case "2y", "2b", "2a": return text.utf8.count == 60 && (4...17).contains(Int(parts[1]) ?? 0)
        case "5", "6":
            guard parts[1].hasPrefix("rounds=") else { return true }
            return (1...10_000_000).contains(Int(parts[1].dropFirst(7)) ?? 0)
        default: return true
        }
    }

    /// Hashes the password as this one was made and compares. Takes as long as the method wants: milliseconds to
    /// seconds of one core. Any thread.
    func matches(_ password: [UInt8]) -> Bool {
        guard password.count < Int(CRYPT_MAX_PASSPHRASE_SIZE), !password.contains(0) else { return false }
        let data = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
        data.initialize(to: crypt_data())
        defer {
            // The password and what was made of it are not left in memory that others get.
            UnsafeMutableRawPointer(data).initializeMemory(
                as: UInt8.self, repeating: 0, count: MemoryLayout<crypt_data>.size)
            data.deallocate()
        }
        let expected = Array(text.reveal().utf8)
        let phrase = password.map { CChar(bitPattern: $0) } + [0]
        guard let result = crypt_rn(phrase, text.reveal(), data, Int32(MemoryLayout<crypt_data>.size)) else {
            return false
        }
        let found = UnsafeBufferPointer(start: result, count: strnlen(result, 512)).map { UInt8(bitPattern: $0) }
        guard found.count == expected.count else { return false }
        return zip(found, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

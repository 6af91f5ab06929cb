internal import COpenSSL

/// The result of a hash function.
public struct Digest: Sendable, Hashable {
    /// The bytes, most significant first.
    public private(set) var bytes: [UInt8]

    init(size: Int) { bytes = [UInt8](repeating: 0, count: size) }

    mutating func withMutableBytes(_ body: (UnsafeMutablePointer<UInt8>) -> Void) {
        bytes.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    }

    /// Lower-case hexadecimal digits.
    public var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            for (i, byte) in bytes.enumerated() {
                text[i * 2] = digits[Int(byte >> 4)]
                text[i * 2 + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }

    /// Whether these are the same bytes, in a time that does not depend on where they differ (CRYPTO_memcmp(3)).
    public func matches(_ other: [UInt8]) -> Bool {
        bytes.count == other.count && CRYPTO_memcmp(bytes, other, bytes.count) == 0
    }
}

/// Random bytes of OpenSSL's generator (RAND_bytes(3)).
public enum SecureRandom {
    /// `count` bytes nobody can guess.
    public static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            guard let base = buffer.baseAddress else { return }
            // Fails only where the system gives no entropy at all; going on without would be worse than ending.
            precondition(RAND_bytes(base, Int32(count)) == 1, "no random bytes from the system")
            filled = count
        }
    }
}

/// One AWS WAF token. Prints as `WAFToken(3f9a1c02…)` and never as itself: logs, dumps and interpolations show only the
/// fingerprint. `getValue()` and `bytes` are the ways to the value, so a search for them finds every use.
///
/// A value of 1 to 8192 cookie-octets (RFC 6265 §4.1.1), never altered, quoted or encoded.
public struct WAFToken: Sendable, Hashable {
    /// The longest value that is taken, in bytes.
    public static let maximumCount = 8192

    /// Why bytes are no token. Says nothing of the value but a length or a place.
    public enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// No bytes.
        case empty
        /// More than `maximumCount` bytes.
        case tooLong(count: Int)
        /// A byte that is no cookie-octet, at `offset`.
        case forbiddenByte(offset: Int)

        /// One sentence part for a person.
        public var description: String {
            switch self {
            case .empty: "the token is empty"
            case .tooLong(let count): "the token has \(count) bytes, more than \(WAFToken.maximumCount)"
            case .forbiddenByte(let offset): "the token has a byte at offset \(offset) that no cookie value may have"
            }
        }
    }

    private let storage: [UInt8]
    private let hash: UInt32

    /// A token with exactly these bytes.
    public init(_ value: some Collection<UInt8>) throws(Fault) {
        guard !value.isEmpty else { throw .empty }
        guard value.count <= Self.maximumCount else { throw .tooLong(count: value.count) }
        let octets = Array(value)
        for offset in octets.indices where !Self.isCookieOctet(octets[offset]) {
            throw .forbiddenByte(offset: offset)
        }
        storage = octets
        hash = SHA256.prefix(of: octets.span)
    }

    /// A token with exactly the UTF-8 bytes of `value`, which have to be ASCII.
    public init(_ value: String) throws(Fault) {
        try self.init(value.utf8)
    }

    /// The value, as it is sent. A secret.
    public func getValue() -> String {
        String(decoding: storage, as: UTF8.self)
    }

    /// The value's bytes. A secret.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { storage.span }
    }

    /// Eight lower-case hexadecimal digits of the value's SHA-256: the only thing of it that may be shown.
    public var fingerprint: String {
        String(unsafeUninitializedCapacity: 8) { digits in
            for index in 0..<8 {
                let digit = UInt8(truncatingIfNeeded: hash >> UInt32(28 - index * 4)) & 0xf
                digits[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 8
        }
    }

    /// Whether a cookie value may have this byte (RFC 6265 §4.1.1).
    static func isCookieOctet(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x2b, 0x2d...0x3a, 0x3c...0x5b, 0x5d...0x7e: true
        default: false
        }
    }

    /// Two tokens are equal when their values are.
    public static func == (one: WAFToken, other: WAFToken) -> Bool {
        one.hash == other.hash && one.storage == other.storage
    }

    /// Feeds the hash, not the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

extension WAFToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `WAFToken(3f9a1c02…)`.
    public var description: String { "WAFToken(\(fingerprint)…)" }

    /// As `description`.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror {
        Mirror(self, children: EmptyCollection<Mirror.Child>())
    }
}

public import Telemetry

/// A name and a password as `Proxy-Authorization: Basic …` carries them (RFC 7617).
public struct BasicCredentials: Sendable, Equatable {
    /// What stands before the first colon.
    public let name: [UInt8]
    /// What stands behind it.
    public let password: Redacted<[UInt8]>

    /// The longest field value that is looked at.
    public static let limit = 1024

    /// Reads a field's value; nil for another scheme, or what is no base64 of `name:password`.
    public init?(_ value: Span<UInt8>) {
        guard value.count <= Self.limit else { return nil }
        let bytes = value.withUnsafeBufferPointer { Array($0) }
        let scheme = Array("basic ".utf8)
        guard bytes.count > scheme.count, bytes.prefix(scheme.count).map(\.lowerCased) == scheme else { return nil }
        guard let decoded = Base64.decode(bytes.dropFirst(scheme.count).drop { $0 == UInt8(ascii: " ") }),
            let colon = decoded.firstIndex(of: UInt8(ascii: ":")), !decoded.contains(0)
        else { return nil }
        name = Array(decoded[..<colon])
        password = Redacted(Array(decoded[(colon + 1)...]))
    }
}

extension UInt8 {
    fileprivate var lowerCased: UInt8 { self >= 0x41 && self <= 0x5a ? self + 0x20 : self }
}

/// Base64 of RFC 4648 §4, with its padding or without.
enum Base64 {
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for byte in text {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = value(byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 {
                bytes += [UInt8(bits >> 16 & 0xff), UInt8(bits >> 8 & 0xff), UInt8(bits & 0xff)]
                bits = 0
            }
        }
        guard padding == 0 || (count + padding) % 4 == 0, padding <= 2 else { return nil }
        switch count % 4 {
        case 0: return bytes
        case 2: return bytes + [UInt8(bits >> 4 & 0xff)]
        case 3: return bytes + [UInt8(bits >> 10 & 0xff), UInt8(bits >> 2 & 0xff)]
        default: return nil
        }
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

/// Base 64 with the standard alphabet (RFC 4648 §4).
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    /// Encodes; `isPadded` adds the `=` signs.
    public static func encode(_ bytes: some Collection<UInt8>, isPadded: Bool = true) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        var group: UInt32 = 0
        var count = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            count += 1
            guard count == 3 else { continue }
            for shift in [18, 12, 6, 0] { out.append(alphabet[Int(group >> UInt32(shift) & 63)]) }
            (group, count) = (0, 0)
        }
        if count > 0 {
            group <<= UInt32(8 * (3 - count))
            for i in 0...count { out.append(alphabet[Int(group >> UInt32(18 - 6 * i) & 63)]) }
            if isPadded { for _ in count..<3 { out.append(UInt8(ascii: "=")) } }
        }
        return out
    }

    /// Decodes, with or without the `=` signs; nil for anything that `encode` does not write.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var letters = 0
        var pads = 0
        for letter in text {
            if letter == UInt8(ascii: "=") {
                pads += 1
                continue
            }
            let value = values[Int(letter)]
            guard value != 0xff, pads == 0 else { return nil }
            group = group << 6 | UInt32(value)
            letters += 1
            if letters % 4 == 0 {
                for shift in [16, 8, 0] { out.append(UInt8(truncatingIfNeeded: group >> UInt32(shift))) }
                group = 0
            }
        }
        let rest = letters % 4
        guard rest != 1, pads == 0 || (letters + pads) % 4 == 0, pads < 3 else { return nil }
        if rest > 0 {
            group <<= UInt32(6 * (4 - rest))
            guard group & (rest == 2 ? 0xffff : 0xff) == 0 else { return nil }
            out.append(UInt8(truncatingIfNeeded: group >> 16))
            if rest == 3 { out.append(UInt8(truncatingIfNeeded: group >> 8)) }
        }
        return out
    }
}

/// The text form of IPv6 addresses (RFC 3986 §3.2.2, RFC 4291 §2.2), without zones.
enum IPv6Text {
    static func isValid(_ text: Span<UInt8>) -> Bool {
        var groups = 0
        var hasGap = false
        var index = 0
        if text.count >= 2, text[0] == colon, text[1] == colon {
            hasGap = true
            index = 2
        }
        while index < text.count {
            let start = index
            while index < text.count, isHexDigit(text[index]) { index += 1 }
            if index < text.count, text[index] == UInt8(ascii: ".") {
                guard isIPv4(text.extracting(start..<text.count)) else { return false }
                groups += 2
                break
            }
            guard (1...4).contains(index - start) else { return false }
            groups += 1
            if index == text.count { break }
            guard text[index] == colon, index + 1 < text.count else { return false }
            index += 1
            if text[index] == colon {
                guard !hasGap else { return false }
                hasGap = true
                index += 1
            }
        }
        return hasGap ? groups < 8 : groups == 8
    }

    /// Four numbers of 0–255 without leading zeros.
    private static func isIPv4(_ text: Span<UInt8>) -> Bool {
        var (numbers, value, digits) = (1, 0, 0)
        for index in 0..<text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ".") {
                guard digits > 0, numbers < 4 else { return false }
                (numbers, value, digits) = (numbers + 1, 0, 0)
            } else {
                guard ByteKind.of(byte).contains(.digit), !(digits > 0 && value == 0) else { return false }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
                digits += 1
                guard value <= 255 else { return false }
            }
        }
        return numbers == 4 && digits > 0
    }

    private static let colon = UInt8(ascii: ":")

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        let lower = lowercased(byte)
        return ByteKind.of(byte).contains(.digit) || (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "f"))
    }
}

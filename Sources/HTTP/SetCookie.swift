/// Reads `Set-Cookie` fields (RFC 6265 §5.2).
public enum SetCookie {
    /// Where the value of the cookie stands in the field's value, if it is the cookie of this name; names are compared
    /// byte for byte.
    public static func value(of name: StaticString, in field: Span<UInt8>) -> Range<Int>? {
        let end = field.firstIndex(of: UInt8(ascii: ";"), in: 0..<field.count)
        let equals = field.firstIndex(of: UInt8(ascii: "="), in: 0..<end)
        guard equals < end, field.extracting(field.trimmed(0..<equals)).equals(name) else { return nil }
        return field.trimmed((equals + 1)..<end)
    }
}

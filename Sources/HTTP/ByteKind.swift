/// What a byte may be part of, looked up in one table of 256 entries that is laid out at compile time.
struct ByteKind: OptionSet {
    let rawValue: UInt8

    /// tchar (RFC 9110 §5.6.2): methods, field names.
    static let token = ByteKind(rawValue: 1)
    /// Allowed in a field value: HTAB, SP, VCHAR, obs-text (RFC 9110 §5.5).
    static let fieldValue = ByteKind(rawValue: 2)
    /// Allowed in a request target here: anything but controls, SP, DEL and `#`. Wider than RFC 3986, because origins
    /// are tested with what real clients send.
    static let target = ByteKind(rawValue: 4)
    static let digit = ByteKind(rawValue: 8)
    /// reg-name of RFC 3986 §3.2.2 without the percent sign, and `_`.
    static let hostName = ByteKind(rawValue: 16)

    @inline(__always)
    static func of(_ byte: UInt8) -> ByteKind { ByteKind(rawValue: table[Int(byte)]) }

    /// Sixteen bytes a row, the sums of the values above.
    private static let table: InlineArray<256, UInt8> = [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        2, 23, 6, 3, 23, 7, 23, 23, 22, 22, 23, 23, 22, 23, 23, 6,
        31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 6, 22, 6, 22, 6, 6,
        6, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
        23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 6, 6, 6, 7, 23,
        7, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
        23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 6, 7, 6, 23, 0,
        6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
        6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
        6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
        6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
        6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
        6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
        6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
        6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
    ]
}

@inline(__always)
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

@inline(__always)
func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte }

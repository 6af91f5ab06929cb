/// What a byte may be part of, looked up in one table of 256 entries.
struct ByteKind: OptionSet {
    let rawValue: UInt8

    /// tchar (RFC 9110 §5.6.2): methods, field names.
    static let token = ByteKind(rawValue: 1)
    /// Allowed in a field value: HTAB, SP, VCHAR, obs-text (RFC 9110 §5.5).
    static let text = ByteKind(rawValue: 2)
    /// Allowed in a request target here: anything but controls, SP and DEL. Wider than RFC 3986, because origins are
    /// tested with what real clients send.
    static let target = ByteKind(rawValue: 4)
    static let digit = ByteKind(rawValue: 8)
    /// Letters, digits, `-._~`: reg-name of RFC 3986 §3.2.2 without what no host name has.
    static let hostName = ByteKind(rawValue: 16)

    @inline(__always)
    static func of(_ byte: UInt8) -> ByteKind {
        // A literal's bytes are a constant of the program: no initialisation, no reference count. The table has an entry
        // for every value of a byte.
        ByteKind(rawValue: table.utf8Start[Int(byte)] & 31)
    }

    /// One ASCII letter a byte, `@` plus the bits above. A test derives it anew.
    private static let table: StaticString = """
        @@@@@@@@@B@@@@@@@@@@@@@@@@@@@@@@BGFGGGGGFFGGFWWF__________FFFFFF\
        FWWWWWWWWWWWWWWWWWWWWWWWWWWFFFGWGWWWWWWWWWWWWWWWWWWWWWWWWWWFGFW@\
        FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF\
        FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF
        """
}

@inline(__always)
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

@inline(__always)
func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte }

/// The value of a hexadecimal digit.
@inline(__always)
func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
}

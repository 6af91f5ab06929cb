/// The one way in which text from outside enters logs, details and error texts.
///
/// What comes out is printable ASCII: other bytes become `\xNN` (lower-case hexadecimal), a backslash `\\`, so that no
/// two inputs look alike. At most `limit` characters come out; a longer text is cut and ends in `...`.
public enum Escaper {
    /// How many characters of a text from outside are shown.
    public static let defaultLimit = 120

    /// `bytes`, escaped and cut to `limit` characters (at least 3).
    public static func escape(_ bytes: some Sequence<UInt8>, limit: Int = defaultLimit) -> String {
        var escaped: [UInt8] = []
        var fitting = 0
        let cut = forEachEscaped(bytes, limit: limit) { byte in
            escaped.append(byte)
        } mark: {
            fitting = escaped.count
        }
        if cut {
            escaped.removeLast(escaped.count - fitting)
            escaped.append(contentsOf: ellipsis)
        }
        return String(decoding: escaped, as: Unicode.ASCII.self)
    }

    /// `text`, escaped and cut to `limit` characters (at least 3).
    public static func escape(_ text: String, limit: Int = defaultLimit) -> String {
        escape(text.utf8, limit: limit)
    }

    static let ellipsis: [UInt8] = Array("...".utf8)

    /// The escaping itself. `mark` is called whenever what was given to `emit` so far leaves room for `...`; when true
    /// comes back, the text goes on beyond the limit and has to be cut at the last mark.
    @inline(__always)
    static func forEachEscaped(
        _ bytes: some Sequence<UInt8>, limit: Int, emit: (UInt8) -> Void, mark: () -> Void
    ) -> Bool {
        var used = 0
        for byte in bytes {
            let isPlain = byte >= 0x20 && byte < 0x7f
            let width = isPlain ? (byte == UInt8(ascii: "\\") ? 2 : 1) : 4
            guard used + width <= limit else { return true }
            if !isPlain {
                emit(UInt8(ascii: "\\"))
                emit(UInt8(ascii: "x"))
                emit(hexDigit(byte >> 4))
                emit(hexDigit(byte & 0xf))
            } else {
                if width == 2 { emit(byte) }
                emit(byte)
            }
            used += width
            if used <= limit - 3 { mark() }
        }
        return false
    }
}

/// The lower-case hexadecimal digit of a value below 16.
@inline(__always)
func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

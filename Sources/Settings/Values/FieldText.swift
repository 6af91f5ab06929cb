/// What field names and values look like (RFC 9110 §5).
enum FieldText {
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 256
            && text.utf8.allSatisfy { byte in
                let letter = byte | 0x20
                return (letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z"))
                    || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    static func isValue(_ text: String) -> Bool {
        text.utf8.count <= 8192 && !text.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7f }
    }

    /// Fields that say where a message ends or whom it is for: never set by hand.
    static func isReserved(_ name: String) -> Bool {
        let reserved = [
            "host", "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "keep-alive",
            "proxy-connection", "expect",
        ]
        return reserved.contains(HostText.lowercased(name))
    }
}

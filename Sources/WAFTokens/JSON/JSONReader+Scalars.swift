/// Strings and numbers (RFC 8259 §6, §7).
extension JSONReader {
    mutating func string() throws(Fault) -> [UInt8] {
        guard take(UInt8(ascii: "\"")) else { throw malformed }
        let start = index
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                // Whatever is not UTF-8 (RFC 3629) is refused with the whole string.
                guard String(validating: text, as: UTF8.self) != nil else { throw .malformed(offset: start) }
                index += 1
                return text
            case UInt8(ascii: "\\"):
                index += 1
                try escape(into: &text)
            case 0..<0x20: throw malformed
            default:
                text.append(byte)
                index += 1
            }
        }
        throw malformed
    }

    private mutating func escape(into text: inout [UInt8]) throws(Fault) {
        guard let byte = next else { throw malformed }
        let plain: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = byte
        case UInt8(ascii: "b"): plain = 0x08
        case UInt8(ascii: "f"): plain = 0x0c
        case UInt8(ascii: "n"): plain = 0x0a
        case UInt8(ascii: "r"): plain = 0x0d
        case UInt8(ascii: "t"): plain = 0x09
        case UInt8(ascii: "u"):
            index += 1
            text.append(contentsOf: String(try escapedScalar()).utf8)
            return
        default: throw malformed
        }
        index += 1
        text.append(plain)
    }

    /// `\uXXXX`, or two of them that make a surrogate pair; a lone surrogate is refused.
    private mutating func escapedScalar() throws(Fault) -> Character {
        let first = try fourDigits()
        var code = first
        if 0xd800...0xdbff ~= first {
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw malformed }
            let second = try fourDigits()
            guard 0xdc00...0xdfff ~= second else { throw malformed }
            code = 0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw malformed }
        return Character(scalar)
    }

    private mutating func fourDigits() throws(Fault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = hexadecimal(byte) else { throw malformed }
            value = value << 4 | digit
            index += 1
        }
        return value
    }

    private func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    mutating func number() throws(Fault) -> Double {
        let start = index
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        guard let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)), value.isFinite else {
            throw .malformed(offset: start)
        }
        return value
    }

    /// One digit or more.
    private mutating func digits() throws(Fault) {
        let start = index
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { index += 1 }
        guard index > start else { throw malformed }
    }
}

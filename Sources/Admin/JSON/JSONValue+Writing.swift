internal import WAFTokens

/// The admin API's documents are written, and read, as WAFTokens' `JSONValue`.
extension JSONValue {
    static func text(_ text: String) -> JSONValue { .string(Array(text.utf8)) }

    static func integer(_ number: some BinaryInteger) -> JSONValue { .number(Double(number)) }

    /// Seconds to the millisecond.
    static func seconds(_ duration: Duration) -> JSONValue {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return .number(Double(milliseconds) / 1000)
    }

    static func members(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { Member(name: Array($0.key.utf8), value: $0.value) })
    }

    /// Null where there is nothing.
    static func maybe<Wrapped>(_ value: Wrapped?, _ make: (Wrapped) -> JSONValue) -> JSONValue {
        value.map(make) ?? .null
    }

    /// The member of this name; nil in anything but an object.
    func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.elementsEqual(name.utf8) }?.value
    }

    /// The compact text form, in UTF-8, without a line end.
    var bytes: [UInt8] {
        var out: [UInt8] = []
        write(into: &out)
        return out
    }

    private func write(into out: inout [UInt8]) {
        switch self {
        case .null: out += "null".utf8
        case .bool(let value): out += (value ? "true" : "false").utf8
        case .number(let value): Self.write(value, into: &out)
        case .string(let text): Self.write(text, into: &out)
        case .array(let values):
            Self.write(values, between: "[", "]", into: &out) { value, out in value.write(into: &out) }
        case .object(let members):
            Self.write(members, between: "{", "}", into: &out) { member, out in
                Self.write(member.name, into: &out)
                out.append(UInt8(ascii: ":"))
                member.value.write(into: &out)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], between start: Unicode.Scalar, _ end: Unicode.Scalar, into out: inout [UInt8],
        _ one: (Element, inout [UInt8]) -> Void
    ) {
        out.append(UInt8(ascii: start))
        for (index, element) in elements.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            one(element, &out)
        }
        out.append(UInt8(ascii: end))
    }

    /// Whole numbers without a fraction; JSON knows no infinities (RFC 8259 §6).
    private static func write(_ number: Double, into out: inout [UInt8]) {
        if let whole = Int64(exactly: number) {
            out += "\(whole)".utf8
        } else {
            out += (number.isFinite ? "\(number)" : "null").utf8
        }
    }

    private static func write(_ text: [UInt8], into out: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        out.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
            case 0..<0x20, 0x7f: out += "\\u00".utf8 + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: out.append(byte)
            }
        }
        out.append(UInt8(ascii: "\""))
    }
}

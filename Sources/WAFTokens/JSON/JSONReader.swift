/// A strict JSON reader over bytes: nothing beyond RFC 8259, no name twice in an object, bounded size and depth.
package struct JSONReader {
    package static let maximumCount = 64 * 1024
    static let maximumDepth = 32

    /// Why bytes are no JSON; says where, never what.
    package enum Fault: Error, Sendable, Equatable, CustomStringConvertible {
        case tooLong
        case tooDeep
        case malformed(offset: Int)
        case repeatedName(offset: Int)

        package var description: String {
            switch self {
            case .tooLong: "the JSON has more bytes than are read"
            case .tooDeep: "the JSON is nested deeper than \(JSONReader.maximumDepth)"
            case .malformed(let offset): "it is no JSON at offset \(offset)"
            case .repeatedName(let offset): "the JSON has a name twice at offset \(offset)"
            }
        }
    }

    let bytes: [UInt8]
    var index = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads one document, with nothing but white space around it.
    package static func read(_ bytes: [UInt8], limit: Int = maximumCount) throws(Fault) -> JSONValue {
        guard bytes.count <= limit else { throw .tooLong }
        var reader = JSONReader(bytes)
        let value = try reader.value(depth: 1)
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.malformed }
        return value
    }

    var malformed: Fault { .malformed(offset: index) }

    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { index += 1 }
    }

    private mutating func value(depth: Int) throws(Fault) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ text: StaticString, _ value: JSONValue) throws(Fault) -> JSONValue {
        for offset in 0..<text.utf8CodeUnitCount {
            guard next == text.utf8Start[offset] else { throw malformed }
            index += 1
        }
        return value
    }

    private mutating func array(_ depth: Int) throws(Fault) -> JSONValue {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        index += 1
        var values: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(values) }
        while true {
            values.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { throw malformed }
        }
    }

    private mutating func object(_ depth: Int) throws(Fault) -> JSONValue {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        index += 1
        var members: [JSONValue.Member] = []
        var names: Set<[UInt8]> = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            let start = index
            let name = try string()
            guard names.insert(name).inserted else { throw .repeatedName(offset: start) }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw malformed }
            members.append(JSONValue.Member(name: name, value: try value(depth: depth + 1)))
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw malformed }
        }
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }
}

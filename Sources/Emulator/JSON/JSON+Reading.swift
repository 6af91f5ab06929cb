/// Why a text is not taken as JSON.
struct JSONError: Error, Hashable {
    /// Where, in bytes from the start.
    let offset: Int
    /// What is wrong, in a few words.
    let detail: StaticText

    /// A constant text that can be compared.
    enum StaticText: String, Sendable {
        case tooDeep = "nested too deep"
        case unexpected = "unexpected byte"
        case end = "unexpected end"
        case number = "malformed number"
        case escape = "malformed escape"
        case control = "control character in a string"
        case encoding = "not UTF-8"
        case duplicate = "repeated member"
        case trailing = "bytes after the value"
    }
}

extension JSON {
    /// Reads one value that fills the whole text. Stricter than RFC 8259 in one point: repeated members are refused.
    init(reading text: Span<UInt8>, depth: Int = 32) throws(JSONError) {
        var reader = JSONReader(text: text)
        self = try reader.value(depth: depth)
        reader.skipSpace()
        guard reader.isAtEnd else { throw JSONError(offset: reader.position, detail: .trailing) }
    }
}

private struct JSONReader: ~Escapable {
    let text: Span<UInt8>
    var position = 0

    @_lifetime(copy text)
    init(text: Span<UInt8>) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    func failure(_ detail: JSONError.StaticText) -> JSONError { JSONError(offset: position, detail: detail) }

    @_lifetime(self: copy self)
    mutating func skipSpace() {
        while !isAtEnd, [0x20, 0x09, 0x0a, 0x0d].contains(text[position]) { position += 1 }
    }

    func peek() throws(JSONError) -> UInt8 {
        guard !isAtEnd else { throw failure(.end) }
        return text[position]
    }

    @_lifetime(self: copy self)
    mutating func take(_ byte: UInt8) throws(JSONError) {
        guard try peek() == byte else { throw failure(.unexpected) }
        position += 1
    }

    @_lifetime(self: copy self)
    mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for i in 0..<word.utf8CodeUnitCount { try take(word.utf8Start[i]) }
        return value
    }

    @_lifetime(self: copy self)
    mutating func value(depth: Int) throws(JSONError) -> JSON {
        guard depth > 0 else { throw failure(.tooDeep) }
        skipSpace()
        switch try peek() {
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "["): return try array(depth: depth - 1)
        case UInt8(ascii: "{"): return try object(depth: depth - 1)
        default: return try number()
        }
    }

    @_lifetime(self: copy self)
    mutating func array(depth: Int) throws(JSONError) -> JSON {
        try take(UInt8(ascii: "["))
        var elements: [JSON] = []
        skipSpace()
        if try peek() == UInt8(ascii: "]") {
            position += 1
            return .array(elements)
        }
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if try peek() == UInt8(ascii: "]") { break }
            try take(UInt8(ascii: ","))
        }
        position += 1
        return .array(elements)
    }

    @_lifetime(self: copy self)
    mutating func object(depth: Int) throws(JSONError) -> JSON {
        try take(UInt8(ascii: "{"))
        var members: [JSON.Member] = []
        skipSpace()
        if try peek() == UInt8(ascii: "}") {
            position += 1
            return .object(members)
        }
        while true {
            skipSpace()
            let name = try string()
            guard !members.contains(where: { $0.name == name }) else { throw failure(.duplicate) }
            skipSpace()
            try take(UInt8(ascii: ":"))
            members.append(JSON.Member(name, try value(depth: depth)))
            skipSpace()
            if try peek() == UInt8(ascii: "}") { break }
            try take(UInt8(ascii: ","))
        }
        position += 1
        return .object(members)
    }

    @_lifetime(self: copy self)
    mutating func string() throws(JSONError) -> String {
        try take(UInt8(ascii: "\""))
        var bytes: [UInt8] = []
        while true {
            let byte = try peek()
            if byte < 0x20 { throw failure(.control) }
            position += 1
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                bytes.append(contentsOf: String(try escape()).utf8)
            } else {
                bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw failure(.encoding) }
        return text
    }

    @_lifetime(self: copy self)
    mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let byte = try peek()
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw failure(.escape)
        }
    }

    /// Four digits, or eight in two escapes: a surrogate pair.
    @_lifetime(self: copy self)
    mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try fourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xd800..<0xdc00).contains(first) else { throw failure(.escape) }
        try take(UInt8(ascii: "\\"))
        try take(UInt8(ascii: "u"))
        let second = try fourDigits()
        guard (0xdc00..<0xe000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { throw failure(.escape) }
        return scalar
    }

    @_lifetime(self: copy self)
    mutating func fourDigits() throws(JSONError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(try peek())).hexDigitValue else { throw failure(.escape) }
            number = number << 4 | UInt32(digit)
            position += 1
        }
        return number
    }

    @_lifetime(self: copy self)
    mutating func number() throws(JSONError) -> JSON {
        let start = position
        if try peek() == UInt8(ascii: "-") { position += 1 }
        if try peek() == UInt8(ascii: "0") { position += 1 } else { try digits() }
        var isInteger = true
        if !isAtEnd, text[position] == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try digits()
        }
        if !isAtEnd, text[position] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if !isAtEnd, text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        let spelled = text.extracting(start..<position).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        if isInteger, let value = Int(spelled) { return .integer(value) }
        guard let value = Double(spelled), value.isFinite else { throw failure(.number) }
        return .number(value)
    }

    @_lifetime(self: copy self)
    mutating func digits() throws(JSONError) {
        let start = position
        while !isAtEnd, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[position]) { position += 1 }
        guard position > start else { throw isAtEnd ? failure(.end) : failure(.unexpected) }
    }
}

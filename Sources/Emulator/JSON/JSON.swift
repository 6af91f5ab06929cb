/// A JSON value (RFC 8259), for the control port and the echo endpoints. Objects keep the order of their members.
enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number with a fraction or an exponent, or beyond `Int`.
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    /// One member of an object.
    struct Member: Sendable, Hashable {
        var name: String
        var value: JSON

        init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The member of that name, if this is an object that has it.
    subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// Text, or null where there is none.
    static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
    /// An integer, or null where there is none.
    static func optional(_ number: Int?) -> JSON { number.map { .integer($0) } ?? .null }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements.map { Member($0, $1) }) }
}

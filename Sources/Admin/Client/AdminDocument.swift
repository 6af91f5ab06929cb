internal import WAFTokens

/// A part of an answer of the admin API. What is not there is empty, so that look-ups chain.
public struct AdminDocument: Sendable {
    let value: JSONValue

    /// The member of this name.
    public subscript(name: String) -> AdminDocument { AdminDocument(value: value.member(name) ?? .null) }

    public var text: String? {
        if case .string(let bytes) = value { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
    public var number: Double? { if case .number(let number) = value { number } else { nil } }
    public var flag: Bool? { if case .bool(let flag) = value { flag } else { nil } }
    public var elements: [AdminDocument] {
        if case .array(let values) = value { values.map { AdminDocument(value: $0) } } else { [] }
    }
    public var isObject: Bool { if case .object = value { true } else { false } }
    /// The members of an object in their order.
    public var members: [(name: String, value: AdminDocument)] {
        guard case .object(let members) = value else { return [] }
        return members.map { (String(decoding: $0.name, as: UTF8.self), AdminDocument(value: $0.value)) }
    }
}

/// A JSON document (RFC 8259), as far as a token answer needs it.
enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    /// The string's UTF-8 bytes, escapes resolved.
    case string([UInt8])
    case array([JSONValue])
    /// Members in their order; no name stands twice.
    case object([Member])

    struct Member: Sendable, Equatable {
        let name: [UInt8]
        let value: JSONValue
    }
}

/// A JSON document (RFC 8259), as far as token answers and the admin API need it.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    /// The string's UTF-8 bytes, escapes resolved.
    case string([UInt8])
    case array([JSONValue])
    /// Members in their order; no name stands twice.
    case object([Member])

    package struct Member: Sendable, Equatable {
        package let name: [UInt8]
        package let value: JSONValue

        package init(name: [UInt8], value: JSONValue) {
            self.name = name
            self.value = value
        }
    }
}

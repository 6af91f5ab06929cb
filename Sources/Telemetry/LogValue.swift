/// One varying value of a log line. Text is escaped and cut when it is written, never before.
public enum LogValue: Sendable, Equatable {
    /// Text, wherever it comes from.
    case string(String)
    /// Text as raw bytes, such as a field's value.
    case bytes([UInt8])
    /// A number.
    case integer(Int)
    /// Yes or no.
    case bool(Bool)
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// A literal text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension LogValue: ExpressibleByIntegerLiteral {
    /// A literal number.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension LogValue: ExpressibleByBooleanLiteral {
    /// A literal truth.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

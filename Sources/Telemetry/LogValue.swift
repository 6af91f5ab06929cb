/// One varying value of a log line. Text is escaped and cut when it is written, never before, unless it is a sentence.
public enum LogValue: Sendable, Equatable {
    /// Text, wherever it comes from.
    case string(String)
    /// A sentence of ours, in which what comes from outside has passed the escaper: printable ASCII, written whole and
    /// not escaped again. Anything else in it becomes `?`.
    case sentence(String)
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

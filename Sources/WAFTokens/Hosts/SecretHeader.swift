public import Telemetry

/// A field added to requests, such as the secret header that a scope-down rule lets through. The value cannot be printed.
public struct SecretHeader: Sendable, Hashable {
    /// Field name as it is sent.
    public var name: String
    /// Field value as it is sent.
    public var value: Redacted<String>

    /// A field.
    public init(name: String, value: Redacted<String>) {
        self.name = name
        self.value = value
    }
}

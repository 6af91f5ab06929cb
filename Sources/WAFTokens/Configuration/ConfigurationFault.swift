/// A value that a setting may not have.
public struct ConfigurationFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The setting's name, such as `tokenRefreshDelaySec`.
    public let setting: String
    /// The value that was given, escaped.
    public let value: String
    /// What is allowed, such as `88 to 300 (profile sdk-current)`.
    public let allowed: String

    /// One sentence part for a person: `tokenRefreshDelaySec is 5, allowed is 88 to 300 (profile sdk-current)`.
    public var description: String { "\(setting) is \(value), allowed is \(allowed)" }
}

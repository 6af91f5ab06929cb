/// The value a setting has, as text, and where it comes from.
public struct Provenance: Sendable, Equatable {
    /// `challenge.maxReplays`, `providers.shop.hosts`.
    public let key: String
    /// One line of printable ASCII; `<redacted>` for a secret.
    public let value: String
    /// Where the value comes from.
    public let origin: Origin
}

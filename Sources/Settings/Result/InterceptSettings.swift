/// How TLS of clients to the listed hosts is opened, and which authority signs for that.
public struct InterceptSettings: Sendable, Equatable {
    /// A version of TLS.
    public enum TLSVersion: String, Sendable, CaseIterable {
        /// TLS 1.2
        case tls12 = "1.2"
        /// TLS 1.3
        case tls13 = "1.3"
    }

    /// Where authorities are kept; nil: `$XDG_DATA_HOME/waf-token-proxy`.
    public var caDirectory: String?
    /// Whether the authority lives in memory alone.
    public var ephemeralCA = false
    /// PEM file of a provided authority: what signs leaves, then its issuers.
    public var caCertificate: String?
    /// PEM file of its key.
    public var caKey: String?
    /// Whether an authority of ours may sign for the listed hosts alone.
    public var nameConstraints = true
    /// From now to a leaf's end.
    public var leafValidityDays = 30
    /// From a leaf's beginning to now.
    public var leafBackdateHours = 48
    /// What clients have to speak at least.
    public var minimumTLS = TLSVersion.tls12

    /// No leaf is valid for longer in all, in hours: 45 days.
    public static let longestLeafHours = 45 * 24

    /// The defaults.
    public init() {}
}

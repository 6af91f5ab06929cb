public import Telemetry

/// How origins are reached.
public struct UpstreamSettings: Sendable, Equatable {
    /// PEM file of authorities to trust besides the system's.
    public var caFile: String?
    /// Host patterns whose certificate is not verified.
    public var insecureHosts: [String] = []
    /// Certificates that are shown to some hosts as the client's.
    public var clientCertificates: [ClientCertificateEntry] = []
    /// Authorities that are dialled at another address and port.
    public var resolve: [ResolveEntry] = []
    /// The proxy that everything goes through.
    public var parentProxy: ParentProxy?
    /// Who we are to it, where its URL does not say.
    public var parentProxyUser: String?
    /// The password that belongs to that user.
    public var parentProxyPassword: Redacted<String>?
    /// What is reached without it: host patterns (without a port they mean every port) and networks.
    public var noParentFor: [DestinationRule] = []
    /// Whether the parents come from the environment, as `environmentParents`.
    public var parentFromEnvironment = false
    /// What the environment names, where it was asked.
    public var environmentParents: EnvironmentParents?
    /// Whether certificates are verified at all.
    public var verify = true
    /// Bound on name look-up, connection and TLS together.
    public var connectTimeoutMsec = 10_000
    /// Bound from the last request byte to the response head.
    public var responseHeadTimeoutMsec = 60_000
    /// How long an idle connection is kept.
    public var idlePoolSec = 10
    /// How long a looked-up address is kept.
    public var dnsCacheSec = 30

    /// The defaults.
    public init() {}
}

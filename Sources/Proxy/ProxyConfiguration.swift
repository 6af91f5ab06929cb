public import HTTP
public import Upstream
public import WAFTokens

/// What the proxy itself can be told. Plain data; the composition fills it from the settings.
public struct ProxyConfiguration: Sendable {
    /// The name in `Proxy-Status` (RFC 9209 §2).
    public var pseudonym: StaticString = "waf-token-proxy"
    /// The name in `Via`, in lower case, by which a loop is noticed (RFC 9110 §7.6.3). `ProxyServer` gives each instance
    /// its own, so that a chain of instances is no loop.
    public var viaName = "waf-token-proxy"
    /// Whether requests and responses get a `Via` field.
    public var addsVia = true
    /// Whether responses get `x-waf-token-proxy` with what was done.
    public var explains = false

    public var headLimits = HeadLimits()
    /// First byte of a request head to its last.
    public var headTimeout = Duration.seconds(30)
    /// A kept-alive client connection without a request.
    public var idleClientTimeout = Duration.seconds(300)
    public var tunnelIdleTimeout = Duration.seconds(3600)
    /// No byte for so long after one side ended.
    public var halfCloseTimeout = Duration.seconds(60)
    public var connectTimeout = Duration.seconds(10)
    /// From the first signal to the end of every connection.
    public var drainTimeout = Duration.seconds(8)
    public var maxConnections = 10_000
    public var maxTunnels = 10_000

    /// How often a challenged request is sent again: 0 or 1.
    public var maxReplays = 1
    /// The copy of one request's body, at most.
    public var replayBufferBytes = 1 << 20
    /// What happens with a challenge that could not be resolved.
    public var onUnresolvedChallenge = UnresolvedChallenge.pass

    public enum UnresolvedChallenge: Sendable { case pass, error }

    public var destinations = DestinationRules()
    public var sources = SourceRules()
    /// Who may use the proxy; nil: whoever is served at all.
    public var users: ProxyUsers?
    /// Other places to dial than the named ones; name, SNI and Host stay.
    public var resolve: [Authority: Endpoint] = [:]

    /// Stands in for the listed hosts inside CONNECT; nil: every CONNECT is a blind tunnel.
    public var interceptor: Interceptor?

    /// What the proxy shows to its clients.
    public var localPage = LocalPage()

    public init() {}
}

/// One token provider and how its token is attached.
public struct ProxyProvider: Sendable {
    public let provider: WAFTokenProvider
    public let policy: AttachPolicy
    /// Where its requests are counted; nil: among those of hosts that nobody listed.
    public let metrics: ProviderMetrics?

    public init(provider: WAFTokenProvider, policy: AttachPolicy, metrics: ProviderMetrics? = nil) {
        self.provider = provider
        self.policy = policy
        self.metrics = metrics
    }
}

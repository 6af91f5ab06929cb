public import Credentials
public import Telemetry

/// Every setting of the proxy with the value it has: what flags, variables, file and defaults came to.
///
/// Plain data. The values given here are the defaults of the program. Durations are in the unit their name ends in.
public struct EffectiveSettings: Sendable, Equatable {
    /// Where clients connect to.
    public var listen: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 8080)]
    /// Event loops; 0 is one per core.
    public var threads = 0
    /// The listener for operators.
    public var admin = AdminSettings()
    /// Who gets a token from where; names are unique, none is without hosts.
    public var providers: [ProviderSettings] = []
    /// What happens after a challenge.
    public var challenge = ChallengeSettings()
    /// How clients' TLS to listed hosts is opened.
    public var intercept = InterceptSettings()
    /// How origins are reached.
    public var upstream = UpstreamSettings()
    /// Who may use the proxy, and for which destinations.
    public var access = AccessSettings()
    /// Bounds that keep one client from hurting the others.
    public var limits = LimitSettings()
    /// Whether requests and responses get a `Via` field.
    public var via = true
    /// Whether responses say what the proxy did (`x-waf-token-proxy`).
    public var explain = false
    /// The requests that operators can look at.
    public var flows = FlowSettings()
    /// The log.
    public var log = LogSettings()

    /// The defaults: a proxy without providers on 127.0.0.1:8080.
    public init() {}
}

/// The listener for operators.
public struct AdminSettings: Sendable, Equatable {
    /// IP address and port, or nil for none.
    public var listen: ListenAddress? = .tcp(host: "127.0.0.1", port: 8081)
    /// Bearer token for writes; nil means that one is made at start.
    public var token: Redacted<String>?

    /// The defaults.
    public init() {}
}

/// What happens after a challenge.
public struct ChallengeSettings: Sendable, Equatable {
    /// What a client gets when a challenge could not be resolved.
    public enum Unresolved: String, Sendable, CaseIterable {
        /// The challenge as it came.
        case pass
        /// A 502 with the reason.
        case error
    }

    /// 0 or 1.
    public var maxReplays = 1
    /// Copy kept of one request's body.
    public var replayBufferBytes = 1_048_576
    /// All copies together.
    public var replayBufferTotalBytes = 67_108_864
    /// What a client gets when a challenge could not be resolved.
    public var onUnresolved = Unresolved.pass

    /// The defaults.
    public init() {}
}

/// Who may use the proxy, and for which destinations.
public struct AccessSettings: Sendable, Equatable {
    /// Client addresses that may use the proxy; empty means no rule.
    public var allowFrom: [NetworkRange] = []
    /// File with the names and password hashes of those who may use the proxy; nil: no names are asked for.
    public var proxyUsersFile: String?
    /// What stands in it.
    public var proxyUsers: UserTable?
    /// Destinations allowed although a general rule refuses them: host patterns, addresses, networks.
    public var allowDestinations: [DestinationRule] = []
    /// Destinations refused.
    public var denyDestinations: [DestinationRule] = []
    /// Whether private addresses may be dialled.
    public var allowPrivateNetworks = true

    /// The defaults.
    public init() {}
}

/// Bounds that keep one client from hurting the others.
public struct LimitSettings: Sendable, Equatable {
    /// Request head, in bytes.
    public var headBytes = 65_536
    /// Fields of a request head.
    public var headFields = 200
    /// Time for a request head to arrive.
    public var headSec = 30
    /// Response head, in bytes.
    public var responseHeadBytes = 262_144
    /// Client connections at once.
    public var connections = 10_000
    /// Tunnels at once.
    public var tunnels = 10_000
    /// Rest of a client connection between two requests.
    public var idleClientSec = 300
    /// Rest of a tunnel.
    public var tunnelIdleSec = 3600
    /// Rest of a tunnel after one side ended.
    public var halfCloseSec = 60
    /// Time that running requests get at shutdown.
    public var drainSec = 8

    /// The defaults.
    public init() {}
}

/// The requests that operators can look at (`/v1/flows`).
public struct FlowSettings: Sendable, Equatable {
    /// How many of the last requests are kept; 0: none.
    public var keep = 1000
    /// How much of each body is kept for `/v1/flows.har`; 0: none.
    public var bodyBytes = 0

    /// The defaults.
    public init() {}
}

/// The log.
public struct LogSettings: Sendable, Equatable {
    /// How lines look.
    public enum Format: String, Sendable, CaseIterable {
        /// Text on a terminal, JSON elsewhere.
        case auto
        /// For people.
        case text
        /// One JSON object a line.
        case json
    }

    /// Lines below are not written.
    public var level = LogLevel.info
    /// How lines look.
    public var format = Format.auto
    /// Whether every request gets a line.
    public var access = true

    /// The defaults.
    public init() {}

    /// How lines to `descriptor` look.
    public func lineFormat(for descriptor: Int32) -> LogFormat {
        switch format {
        case .auto: .automatic(for: descriptor)
        case .text: .text
        case .json: .json
        }
    }
}

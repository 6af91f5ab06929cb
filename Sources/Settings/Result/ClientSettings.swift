public import Telemetry

/// What a command asks of a running proxy.
public struct ClientSettings: Sendable, Equatable {
    /// What can be waited for.
    public enum Condition: String, Sendable, CaseIterable {
        /// Clients can connect.
        case listener
        /// The certificate authority is there.
        case ca
        /// Every provider has a token, or needs none now.
        case token
    }

    /// The admin listener, its host an address or a name; nil: where `admin.listen` says.
    public var admin: ListenAddress?
    /// How long `ready` waits.
    public var waitSec = 0
    /// What `ready` asks for.
    public var conditions = Condition.allCases
    /// The provider that is meant; nil: the only one.
    public var provider: String?
    /// Whether `token get` prints the token.
    public var reveal = false
    /// Where `token load` reads; nil: standard input.
    public var tokenFile: String?
    /// How long a loaded token is good.
    public var expiresInSec: Int?
    /// The URL that `check` explains.
    public var url: String?

    /// The defaults.
    public init() {}
}

/// Where a running proxy's admin listener is, and what its writes need.
public struct AdminTarget: Sendable, Equatable {
    /// An address, a name to be looked up, or a unix socket; a port is not 0.
    public var listener: ListenAddress
    /// Nil: in the file that the proxy left.
    public var token: Redacted<String>?
}

/// What `token` does.
public enum TokenVerb: String, Sendable, CaseIterable {
    /// Shows all providers.
    case status
    /// Shows one token.
    case get
    /// Fetches one now.
    case refresh
    /// Hands one over.
    case load
    /// Counts what is held as expired.
    case expire
}

public import Telemetry

/// One token provider: for which hosts, from which source, by which rules. Names and rules are those of the SDK.
public struct ProviderSettings: Sendable, Equatable {
    /// Unique among the providers.
    public var name = "default"
    /// The token's domain; the first host's name unless given.
    public var domainName = ""
    /// Host patterns, lower-case: `shop.test`, `*.shop.test:8443`, `[::1]:*`.
    public var hosts: [String] = []
    /// Where tokens come from.
    public var source = TokenSourceSettings.fixed(Redacted(""))
    /// Handed to the source.
    public var applicationIntegrationURL: String?
    /// Whether tokens are refreshed ahead of need.
    public var backgroundRefreshEnabled = true
    /// Age at which a token is refreshed.
    public var tokenRefreshDelaySec = 88
    /// Retries of a failed fetch; nil is unbounded.
    public var maxRetryCount: Int?
    /// Longest wait between two tries.
    public var maxErrorTokenRefreshDelayMsec = 5000
    /// Whether the cookie store of a library user gets the token.
    public var setTokenCookie = true
    /// Paths that get the token (RFC 6265 §5.1.4).
    public var tokenCookiePath = "/"
    /// Age after which a token is expired. Nil where it was not given: 300, and none for `file` and `static`.
    public var immunityTimeSec: Int?
    /// Which ranges and defaults hold.
    public var profile = Profile.sdkCurrent
    /// Refreshes also without traffic.
    public var keepWarm = false
    /// How waits between tries vary.
    public var retryJitter = RetryJitter.full
    /// Fetches a minute, retries included; 0 is no cap.
    public var fetchBudgetPerMinute = 60
    /// Whether CORS preflights get the token.
    public var attachToPreflight = false
    /// Whether origins with an unverified certificate get the token.
    public var allowInsecureToken = false
    /// How the token travels.
    public var carrier = Carrier.cookie
    /// What happens to a client's own token.
    public var clientToken = ClientToken.replace
    /// What happens to a token that an origin sets.
    public var responseToken = ResponseToken.pass
    /// What happens to a request when there is no token.
    public var whenNoToken = WhenNoToken.hold
    /// How long a request waits for a token.
    public var holdMsec = 5000
    /// Whether the token may travel in clear text beyond private addresses.
    public var allowPlainHTTP = false
    /// Whether `http://` requests go out as `https://`.
    public var upgradeToTLS = false
    /// Extra request fields for these hosts.
    public var headers: [HeaderSetting] = []

    /// The defaults, without hosts and source.
    public init() {}
}

extension ProviderSettings {
    /// Which ranges and defaults hold.
    public enum Profile: String, Sendable, CaseIterable {
        /// The current mobile SDK's.
        case sdkCurrent = "sdk-current"
        /// Those the mobile SDK had in 2023.
        case sdk2023 = "sdk-2023"
        /// None, for rigs that need second-long tokens.
        case unrestricted
    }

    /// How waits between tries vary.
    public enum RetryJitter: String, Sendable, CaseIterable {
        /// Uniform below the computed wait.
        case full
        /// Not at all.
        case none
    }

    /// How the token travels.
    public enum Carrier: String, Sendable, CaseIterable {
        /// As the cookie `aws-waf-token`.
        case cookie
        /// As the field `x-aws-waf-token`.
        case header
    }

    /// What happens to a client's own token.
    public enum ClientToken: String, Sendable, CaseIterable {
        /// Ours takes its place.
        case replace
        /// It stays, ours is not attached.
        case keep
        /// Ours is attached only where there is none.
        case fill
    }

    /// What happens to a token that an origin sets.
    public enum ResponseToken: String, Sendable, CaseIterable {
        /// The client gets it.
        case pass
        /// The provider takes it.
        case adopt
    }

    /// What happens to a request when there is no token.
    public enum WhenNoToken: String, Sendable, CaseIterable {
        /// It waits `holdMsec`, then 503.
        case hold
        /// 503 at once.
        case closed
        /// It goes on without.
        case open
    }
}

/// A field added to requests; its value may be a secret.
public struct HeaderSetting: Sendable, Equatable {
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

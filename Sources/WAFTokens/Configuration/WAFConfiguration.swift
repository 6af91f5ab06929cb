/// The rules of one token provider, with the names that the AWS WAF mobile SDK gives them.
///
/// Plain data; `faults` says what is not allowed, and a provider is not made from a configuration that has any. Nothing
/// is ever clamped.
public struct WAFConfiguration: Sendable, Hashable {
    /// Handed to the source as it is.
    public var applicationIntegrationURL: String?
    /// The domain that the token is for: a host name that is no public suffix.
    public var domainName: String
    /// Whether tokens are got ahead of need (true), or one for each call (false).
    public var backgroundRefreshEnabled = true
    /// Seconds after which a token is refreshed; nil: the profile's default.
    public var tokenRefreshDelaySec: Int?
    /// Retries of a failed fetch; nil: the profile's default, which is unbounded except with `sdk2023`.
    public var maxRetryCount: Int?
    /// Longest wait between two tries, in milliseconds.
    public var maxErrorTokenRefreshDelayMsec = 5000
    /// Whether each new token is put into the cookie store that the provider was given.
    public var setTokenCookie = true
    /// Paths that the cookie is for (RFC 6265 §5.1.4).
    public var tokenCookiePath = "/"
    /// Seconds after which a token is expired, where the source does not say; nil: the source's default, which is 300
    /// and for files and static tokens none.
    public var immunityTimeSec: Int?
    /// Which ranges and defaults hold.
    public var profile = Profile.sdkCurrent
    /// Refreshes also without traffic.
    public var keepWarm = false
    /// How waits between tries vary.
    public var retryJitter = RetryJitter.none
    /// Fetches within any 60 seconds, retries included; 0: no cap.
    public var fetchBudgetPerMinute = 60
    /// What a request does when there is no token.
    public var whenNoToken = WhenNoToken.hold
    /// How long a request waits for a token, in milliseconds. After a challenge it waits so long in every mode.
    public var holdMsec = 5000

    /// The defaults, for `domainName`.
    public init(domainName: String) {
        self.domainName = domainName
    }
}

extension WAFConfiguration {
    /// Which ranges and defaults hold.
    public enum Profile: String, Sendable, Hashable, CaseIterable {
        /// The current mobile SDK's.
        case sdkCurrent = "sdk-current"
        /// Those that the mobile SDK had in 2023.
        case sdk2023 = "sdk-2023"
        /// Lifted, for rigs that need second-long tokens.
        case unrestricted
    }

    /// How waits between tries vary.
    public enum RetryJitter: String, Sendable, Hashable, CaseIterable {
        /// Not at all.
        case none
        /// Uniform between zero and the computed wait.
        case full
    }

    /// What a request to a listed host does when there is no token.
    public enum WhenNoToken: String, Sendable, Hashable, CaseIterable {
        /// It waits for the hold time, then 503.
        case hold
        /// 503 at once.
        case closed
        /// It goes on without.
        case open
    }
}

/// What a provider needs of the world around it; the defaults are the real one.
public struct ProviderEnvironment: Sendable {
    /// Reads both clocks. Called on the request path: quick, no allocation.
    public var now: @Sendable () -> Moment = { Moment.now() }
    /// Waits for at least so long on the monotonic clock; ends early when its task is cancelled.
    public var sleep: @Sendable (Duration) async -> Void = { duration in try? await Task.sleep(for: duration) }
    /// Where the provider's own tasks run: fetches, timers, calls of sources. Nil: the global pool.
    public var executor: (any TaskExecutor)?
    /// Where the jitter starts.
    public var seed: UInt64
    /// Told what happens, one after the other, from the provider's actor; must not block.
    public var observe: (@Sendable (ProviderNote) -> Void)?
    /// Where new tokens are put as cookies if `setTokenCookie` says so, and by `storeTokenInCookieStorage`.
    public var cookieStorage: (any CookieStorage)?

    /// The real world.
    public init() {
        seed = UInt64.random(in: .min ... .max)
    }
}

/// A cookie store of the library user's.
public protocol CookieStorage: Sendable {
    /// Puts the cookie in; one of the same name, domain and path is replaced.
    func store(_ cookie: TokenCookie)
}

/// The token as a cookie.
public struct TokenCookie: Sendable, Hashable {
    /// `aws-waf-token`.
    public static let name = "aws-waf-token"
    /// Its value.
    public let token: WAFToken
    /// The configuration's `domainName`.
    public let domain: String
    /// The configuration's `tokenCookiePath`.
    public let path: String
}

/// How a provider's token goes on requests and what becomes of others' tokens. Plain data that the proxy reads.
public struct AttachPolicy: Sendable {
    /// How the token travels; never both ways.
    public enum Carrier: String, Sendable, Hashable, CaseIterable {
        /// As the cookie `aws-waf-token`.
        case cookie
        /// As the field `x-aws-waf-token`.
        case header
    }

    /// What becomes of a token that the client sent.
    public enum ClientToken: String, Sendable, Hashable, CaseIterable {
        /// Ours takes its place; it is removed from the other carrier as well.
        case replace
        /// It stays and ours is not attached.
        case keep
        /// Ours is attached only where there is none.
        case fill
    }

    /// What becomes of a token that an origin sets (`Set-Cookie: aws-waf-token`).
    public enum ResponseToken: String, Sendable, Hashable, CaseIterable {
        /// The client gets it.
        case pass
        /// It is withheld from the client and the provider takes it (`WAFTokenProvider.adopt`); https only.
        case adopt
    }

    /// What a request does when there is no token.
    public enum WhenNoToken: Sendable, Hashable {
        /// It waits so long, then 503.
        case hold(Duration)
        /// 503 at once.
        case closed
        /// It goes on without.
        case open
    }

    /// How the token travels.
    public var carrier = Carrier.cookie
    /// What becomes of a token that the client sent.
    public var clientToken = ClientToken.replace
    /// What becomes of a token that an origin sets.
    public var responseToken = ResponseToken.pass
    /// What a request does when there is no token.
    public var whenNoToken = WhenNoToken.hold(.seconds(5))
    /// Whether CORS preflights get the token and are judged.
    public var attachToPreflight = false
    /// Whether token and secret fields may travel over plain http to a public address or through a parent proxy.
    public var allowPlainHTTP = false
    /// Whether origins whose certificate was not verified get the token.
    public var allowInsecureToken = false
    /// Whether `http://` requests go to the same host over `https://`.
    public var upgradeToTLS = false
    /// Fields added to requests for these hosts.
    public var headers: [SecretHeader] = []
    /// The setting `tokenCookiePath` as bytes.
    public var cookiePath: [UInt8] = [UInt8(ascii: "/")]

    /// The defaults.
    public init() {}

    /// The defaults, with what the provider's configuration says of path and hold.
    public init(for configuration: WAFConfiguration) {
        switch configuration.whenNoToken {
        case .hold: whenNoToken = .hold(.milliseconds(configuration.holdMsec))
        case .closed: whenNoToken = .closed
        case .open: whenNoToken = .open
        }
        cookiePath = Array(configuration.tokenCookiePath.utf8)
    }

    /// Whether a request for `path`, with or without its query, gets the token (RFC 6265 §5.1.4).
    public func covers(path: Span<UInt8>) -> Bool {
        CookiePath.covers(path, cookiePath: cookiePath)
    }

    /// Whether a token that an origin sets is withheld and adopted: only where it came over TLS.
    public func adoptsResponseToken(overTLS: Bool) -> Bool {
        responseToken == .adopt && overTLS
    }
}

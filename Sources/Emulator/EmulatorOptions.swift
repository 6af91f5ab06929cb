public import EventLoop
internal import TLS

/// What an emulator begins with. Everything else is set through its control port.
public struct EmulatorOptions: Sendable {
    /// The protected origin over HTTP. Port 0, here and below, picks a free one.
    public var http = SocketAddress.loopback
    /// The protected origin over HTTPS.
    public var https = SocketAddress.loopback
    /// The token issuer, over HTTP.
    public var issuer = SocketAddress.loopback
    /// The control port, over HTTP. Whoever reaches it can mint tokens: keep it on loopback.
    public var control = SocketAddress.loopback

    /// Token domains; empty: a token is for its exact host.
    public var domains: [String] = []
    /// Seconds after which a solved challenge no longer counts.
    public var immunitySec = 300
    /// Seconds after which a solved CAPTCHA no longer counts.
    public var captchaImmunitySec = 300
    /// Paths that begin with one of these are challenged; everything else is allowed.
    public var challengedPrefixes = ["/protected"]

    /// DNS names in the certificate beside `localhost`, `shop.test` and the domains, each with its direct subdomains.
    public var certificateNames: [String] = []
    /// Addresses in the certificate beside `127.0.0.1`, `::1` and the one that is listened on.
    public var certificateAddresses: [String] = []
    /// Where the throw-away authority's certificate is written (PEM, mode 0644, replaced by rename); nil: nowhere.
    public var caFile: String?

    /// The key that tokens are signed with; nil: a random one, so that no other emulator's tokens are accepted.
    public var tokenKey: [UInt8]?
    /// How many records of requests are kept.
    public var recordCapacity = 20_000

    /// The defaults: free ports of 127.0.0.1, `/protected` challenged.
    public init() {}

    /// The names that the certificate is for.
    var allCertificateNames: [String] {
        var names = ["localhost"]
        for name in ["shop.test"] + domains + certificateNames {
            for spelled in name.hasPrefix("*.") ? [name] : [name, "*.\(name)"] where !names.contains(spelled) {
                names.append(spelled)
            }
        }
        return names
    }

    var defaults: EmulatorState.Defaults {
        var policy = TokenPolicy()
        policy.domains = domains.map { $0.lowercased() }
        policy.immunitySec = immunitySec
        policy.captchaImmunitySec = captchaImmunitySec
        return EmulatorState.Defaults(
            rules: challengedPrefixes.map { Rule(prefix: $0, action: .challenge) }, policy: policy,
            recordCapacity: recordCapacity)
    }
}

extension SocketAddress {
    /// A free port of 127.0.0.1.
    fileprivate static var loopback: SocketAddress {
        guard let address = SocketAddress(ip: "127.0.0.1", port: 0) else {
            preconditionFailure("127.0.0.1 is an address")
        }
        return address
    }
}

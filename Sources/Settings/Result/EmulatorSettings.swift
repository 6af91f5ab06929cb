/// The built-in protected origin and token issuer.
public struct EmulatorSettings: Sendable, Equatable {
    /// The protected origin over HTTP.
    public var listen = ListenAddress.tcp(host: "127.0.0.1", port: 9080)
    /// The protected origin over HTTPS.
    public var listenHTTPS = ListenAddress.tcp(host: "127.0.0.1", port: 9443)
    /// The token issuer.
    public var issuer = ListenAddress.tcp(host: "127.0.0.1", port: 9000)
    /// The control port.
    public var control = ListenAddress.tcp(host: "127.0.0.1", port: 9001)
    /// Token domains; none means that a token is for the exact host it was made for.
    public var domains: [String] = []
    /// Age after which a token is expired.
    public var immunitySec = 300
    /// Where the throw-away authority's certificate is written; nil chooses a temporary file.
    public var caFile: String?

    /// The defaults.
    public init() {}
}

/// The demonstration: emulator and proxy together.
public struct DemoSettings: Sendable, Equatable {
    /// Makes the requests itself and ends.
    public var once = false
    /// Where the proxy listens.
    public var listen = ListenAddress.tcp(host: "127.0.0.1", port: 0)

    /// The defaults.
    public init() {}
}

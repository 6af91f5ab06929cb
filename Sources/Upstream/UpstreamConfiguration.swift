public import EventLoop
public import HTTP
public import Telemetry

/// Where an authority is dialled instead (`upstream.resolve`): name, SNI and `Host` stay what they were.
public struct Endpoint: Sendable, Hashable {
    /// A name or an address literal, IPv6 without brackets.
    public let host: String
    public let port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// A certificate that a client shows to an origin that asks for one.
public struct ClientCertificate: Sendable, Hashable {
    /// PEM file: the certificate, then its intermediates.
    public let certificateFile: String
    /// PEM file with the unencrypted key.
    public let keyFile: String

    public init(certificateFile: String, keyFile: String) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }
}

/// What an `UpstreamClient` needs to know. Plain data, shared by the clients of all loops.
public struct UpstreamConfiguration: Sendable {
    /// From the start to a usable connection: look-up, TCP and TLS.
    public var connectTimeout: Duration = .seconds(10)
    /// From the last request byte to a whole response head.
    public var responseHeadTimeout: Duration = .seconds(60)
    /// How long an unused connection stays open; rounded to seconds (CURLOPT_MAXAGE_CONN).
    public var idlePool: Duration = .seconds(10)
    /// How long a looked-up name is remembered; rounded to seconds (CURLOPT_DNS_CACHE_TIMEOUT).
    public var dnsCache: Duration = .seconds(30)
    /// How many connections one client keeps open, used or not, before it closes the oldest unused one.
    public var maxConnections = 1024
    /// PEM file with certificates that are trusted besides the system's.
    public var caFile: String?
    /// Whether certificates are verified at all.
    public var verify = true
    /// Whether the certificate of an authority is left unverified by the operator's wish. Asked on every loop.
    public var isInsecure: @Sendable (Authority) -> Bool = { _ in false }
    /// The certificate that an authority may be shown as the client's; nil for none. Asked on every loop.
    public var clientCertificate: @Sendable (Authority) -> ClientCertificate? = { _ in nil }
    /// Authorities that are dialled elsewhere.
    public var resolve: [Authority: Endpoint] = [:]
    /// A response head of more bytes, its interim heads included, is refused as malformed.
    public var responseHeadBytes = 262_144
    /// Receiving stops when so many bytes of a response wait, and goes on when a quarter is left.
    public var inboundHighWatermark = 512 * 1024
    /// A sender is asked to wait when so many bytes of a request wait, until a quarter is left.
    public var outboundHighWatermark = 256 * 1024
    /// Asked about every address that is about to be connected for an authority; must not block. A sentence that says
    /// why forbids it.
    public var judgeDestination: @Sendable (SocketAddress, Authority) -> StaticString? = { _, _ in nil }
    /// Whether a loopback address may be connected for an authority even by requests that refuse loopback.
    public var isLoopbackListed: @Sendable (SocketAddress, Authority) -> Bool = { _, _ in false }

    /// The parent that requests for an authority go through; nil for none. Asked on every loop.
    public var parent: @Sendable (Scheme, Authority) -> ParentProxy? = { _, _ in nil }
    /// Every parent that `parent` may name.
    public var parents: [ParentProxy] = []
    /// Judges what a parent will connect, which hides the address: the authority that was asked for, the one that the
    /// parent is told, and whether loopback is refused. A sentence that says why forbids it.
    public var judgeBehindParent: @Sendable (Authority, Authority, Bool) -> StaticString? = { _, _, _ in nil }
    /// Asked about every address that is about to be connected for a parent.
    public var judgeParent: @Sendable (SocketAddress) -> StaticString? = { _ in nil }
    /// Our name in the `Via` of CONNECT requests to parents; nil for none.
    public var viaName: String?

    public init() {}

    /// Whether the certificate of `authority` will be verified.
    public func verifies(_ authority: Authority) -> Bool { verify && !isInsecure(authority) }
}

public import HTTP

/// One request as it goes to the origin: nothing is added to it, nothing taken away.
///
/// `Content-Length` and `Transfer-Encoding` follow `framing`: the field that says the same stays where it is, one that
/// contradicts is dropped, a missing one is added at the end.
public struct OutboundRequest: Sendable {
    public var scheme: Scheme
    /// What is dialled, and whose name the certificate must carry.
    public var authority: Authority
    public var method: Method
    /// The method's bytes, as the client wrote them.
    public var methodBytes: [UInt8]
    /// Origin form (RFC 9112 §3.2.1) or `*`, sent byte for byte.
    public var target: [UInt8]
    /// Every field that goes out, in order, `Host` in its place.
    public var fields: Fields
    public var framing: BodyFraming
    /// Whether a 101 may turn the exchange into a byte pipe (RFC 9110 §7.8); `fields` carry `Upgrade` and `Connection`.
    public var upgrade = false
    /// Whether the request may only go to loopback and private addresses; else it fails with `clearTextRefused`.
    public var requiresPrivatePeer = false
    /// Whether loopback addresses are forbidden for this request (`destinationProhibited`), but for those that
    /// `UpstreamConfiguration.isLoopbackListed` names.
    public var refusesLoopback = false

    /// The target in absolute form (RFC 9112 §3.2.2), for a parent; `*` is an authority without a path (§3.2.4).
    var absoluteTarget: [UInt8] {
        let host = authority.isIPv6Literal ? "[\(authority.host)]" : authority.host
        let port = authority.port == scheme.defaultPort ? "" : ":\(authority.port)"
        let origin = Array("\(scheme == .https ? "https" : "http")://\(host)\(port)".utf8)
        return target == [UInt8(ascii: "*")] ? origin : origin + target
    }

    public init(
        scheme: Scheme, authority: Authority, method: Method, methodBytes: [UInt8], target: [UInt8], fields: Fields,
        framing: BodyFraming
    ) {
        self.scheme = scheme
        self.authority = authority
        self.method = method
        self.methodBytes = methodBytes
        self.target = target
        self.fields = fields
        self.framing = framing
    }
}

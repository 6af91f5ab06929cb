/// An authority that is dialled elsewhere; name, SNI and `Host` stay.
public struct ResolveEntry: Sendable, Hashable, CustomStringConvertible {
    /// Name or address asked for, lower-case, IPv6 without brackets.
    public let host: String
    /// Port asked for.
    public let port: UInt16
    /// Name or address dialled.
    public let targetHost: String
    /// Port dialled.
    public let targetPort: UInt16

    /// An authority and where it is dialled.
    public init(host: String, port: UInt16, targetHost: String, targetPort: UInt16) {
        self.host = host
        self.port = port
        self.targetHost = targetHost
        self.targetPort = targetPort
    }

    /// `shop.test:443=127.0.0.1:8443`
    public var description: String {
        "\(HostText.joined(host, port))=\(HostText.joined(targetHost, targetPort))"
    }
}

/// Where something listens that may also do so in the file system.
public enum ListeningAddress: Sendable, Hashable, CustomStringConvertible {
    case ip(SocketAddress)
    /// A socket at an absolute path (unix(7)).
    case unix(path: String)

    /// Nil for a socket in the file system.
    public var ip: SocketAddress? {
        if case .ip(let address) = self { address } else { nil }
    }

    /// `127.0.0.1:8081`, `unix:/run/proxy.sock`
    public var description: String {
        switch self {
        case .ip(let address): address.description
        case .unix(let path): "unix:\(path)"
        }
    }
}

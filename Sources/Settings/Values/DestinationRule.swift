/// One rule about destinations.
public enum DestinationRule: Sendable, Hashable, CustomStringConvertible {
    /// By name, as a host pattern: `*.shop.test`, `shop.test:8443`, `shop.test:*`.
    case host(String)
    /// By the address that is dialled.
    case network(NetworkRange)

    /// The spelling that is read, too.
    public var description: String {
        switch self {
        case .host(let pattern): pattern
        case .network(let range): range.description
        }
    }
}

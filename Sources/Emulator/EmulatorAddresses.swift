public import EventLoop

/// Where a running emulator is reached.
public struct EmulatorAddresses: Sendable {
    /// The protected origin over HTTP.
    public let http: SocketAddress
    /// The protected origin over HTTPS.
    public let https: SocketAddress
    /// The token issuer.
    public let issuer: SocketAddress
    /// The control port.
    public let control: SocketAddress
    /// The throw-away authority's certificate in PEM.
    public let caPEM: String
    /// The file that holds it, if one was asked for.
    public let caFile: String?

    /// Where tokens are fetched with a POST.
    public var tokenURL: String { "http://\(issuer)/token" }
}

/// Why an emulator could not be started.
public enum EmulatorError: Error, Sendable, CustomStringConvertible {
    /// An address could not be bound; `listener` says which: `http`, `https`, `issuer` or `control`.
    case bind(listener: String, address: SocketAddress, reason: SystemError)
    /// No event loop could be made, or it could not listen.
    case listen(reason: SystemError)
    /// No certificate could be made of the names and addresses.
    case certificate(reason: String)
    /// The authority's certificate could not be written.
    case caFile(path: String, reason: SystemError)
    /// It is running, or was stopped.
    case startedBefore

    public var description: String {
        switch self {
        case .bind(let listener, let address, let reason): "emulator (\(listener)): \(address): \(reason)"
        case .listen(let reason): "emulator: \(reason)"
        case .certificate(let reason): "emulator: no certificate: \(reason)"
        case .caFile(let path, let reason): "emulator: \(path): \(reason)"
        case .startedBefore: "emulator: it can be started once"
        }
    }
}

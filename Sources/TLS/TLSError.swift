/// Why something of TLS or of certificates failed. Equal by code alone.
///
/// `faults` is what OpenSSL's queue held, oldest first; taking them empties the queue, so that no later call on the
/// same thread mistakes them for its own (ERR_get_error(3)).
public struct TLSError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Sendable, Hashable {
        /// The peer sent what is not TLS, or ended the handshake with an alert.
        case handshake
        /// The peer's certificate was not accepted.
        case certificate
        /// A record after the handshake could not be read or written.
        case record
        /// The transport ended without close_notify: what was read may be cut short (RFC 8446 §6.1).
        case truncated
        /// Plaintext was offered outside the open state.
        case notOpen
        /// Text that is no PEM, no name, no address.
        case malformedInput
        /// OpenSSL could not do what never fails with good input (out of memory, broken installation).
        case library
    }

    /// What kind of failure it was.
    public let code: Code
    /// One sentence for a person; nothing of the peer's bytes.
    public let detail: String
    /// OpenSSL's own errors, oldest first.
    public let faults: [OpenSSLFault]

    init(_ code: Code, _ detail: String, faults: [OpenSSLFault] = OpenSSLFault.drain()) {
        self.code = code
        self.detail = detail
        self.faults = faults
    }

    /// The detail and OpenSSL's last reason.
    public var description: String {
        guard let last = faults.last else { return detail }
        return "\(detail): \(last)"
    }

    public static func == (left: TLSError, right: TLSError) -> Bool { left.code == right.code }
}

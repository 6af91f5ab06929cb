public import TLS

/// What it takes to stand in for the listed hosts over TLS: who we claim to be, and how we speak.
///
/// May be shared between threads: `identity` is called on every loop.
public struct Interceptor: Sendable {
    /// ALPN names that are answered, by our preference.
    public static let protocols = ["http/1.1", "http/1.0"]

    let context: TLSContext
    let identity: @Sendable (String) throws(TLSError) -> TLSIdentity

    /// - Parameters:
    ///   - versions: TLS versions that clients may speak.
    ///   - identity: the certificate for a host: lower case, no trailing dot, or an address literal without brackets.
    ///     Must not block.
    public init(
        versions: ClosedRange<TLSContext.Version> = .tls12 ... .tls13,
        identity: @escaping @Sendable (String) throws(TLSError) -> TLSIdentity
    ) throws(TLSError) {
        context = try TLSContext(serverProtocols: Self.protocols, versions: versions)
        self.identity = identity
    }
}

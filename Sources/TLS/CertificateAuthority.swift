/// A root that lives as long as the process and issues leaves itself: for an origin of our own, to be trusted by tests.
/// What clients of the proxy trust is an `InterceptionAuthority`.
///
/// Every certificate is valid from 48 hours ago, for clients whose clock is behind. Passes `openssl verify
/// -x509_strict`. The key never leaves the object. Immutable, so it may be shared between threads.
public final class CertificateAuthority: Sendable {
    /// The self-signed root.
    public var certificate: Certificate { issuer.certificate }
    private let issuer: Issuer

    private static let day = 86400
    /// How far back every validity begins, in seconds.
    private static let backdate = 2 * day
    private static let rootDays = 730
    private static let leafDays = 30

    /// Makes a root. Its subject is `name` and a fingerprint of its key, so that a new key is a new subject.
    ///
    /// - Parameters:
    ///   - name: up to 50 bytes, for people.
    ///   - now: seconds since 1970.
    public init(name: String, now: Int) throws(TLSError) {
        issuer = try Issuer.root(name: name, validity: (now - Self.backdate)..<(now + Self.rootDays * Self.day))
    }

    /// Issues a leaf for servers, with a key of its own.
    ///
    /// - Parameters:
    ///   - dnsNames: ASCII, wildcards allowed; the first one becomes the common name if it has at most 63 bytes.
    ///   - ipAddresses: literals, IPv6 without brackets.
    ///   - now: seconds since 1970.
    public func issueLeaf(dnsNames: [String], ipAddresses: [String] = [], now: Int) throws(TLSError) -> TLSIdentity {
        let key = try PrivateKey.generateP256()
        let leaf = try issuer.leaf(
            dnsNames: dnsNames, ipAddresses: ipAddresses, key: key,
            validity: (now - Self.backdate)..<(now + Self.leafDays * Self.day))
        return TLSIdentity(chain: [leaf], key: key)
    }
}

/// What signs the certificates of intercepted hosts, and what clients have to trust for them.
///
/// One that is made here is a root whose private key is gone at once and one intermediate below it, which may sign
/// leaves of servers alone and only for the permitted names. Clients trust the root; the constraints stand on the
/// intermediate, as Java ignores them on what is trusted itself (docs/decisions.md).
///
/// No I/O, no clock. Immutable, so it may be shared between threads.
public final class InterceptionAuthority: Sendable {
    /// Who signs the leaves.
    let issuer: Issuer
    /// What a server sends below its leaf: the issuer first, without a root.
    public let chain: [Certificate]
    /// What clients trust: the root, or the topmost certificate that was provided.
    public let trustAnchor: Certificate
    /// The trust anchor in PEM.
    public let trustAnchorPEM: String
    /// When the first of its certificates ends, in seconds since 1970.
    public let notAfter: Int
    /// When the last of its certificates begins, in seconds since 1970.
    public let notBefore: Int

    /// How long a new one is valid, in seconds: two years.
    public static let lifetime = 730 * 86400
    /// How far back its validity begins, in seconds, for clients whose clock is behind.
    public static let backdate = 48 * 3600

    /// Makes a new one.
    ///
    /// - Parameters:
    ///   - constraints: the names it may sign for; nil: any name.
    ///   - now: seconds since 1970.
    public convenience init(constraints: NameConstraints?, now: Int) throws(TLSError) {
        let validity = (now - Self.backdate)..<(now + Self.lifetime)
        let root = try Issuer.root(name: "waf-token-proxy root", validity: validity)
        let intermediate = try root.intermediate(
            name: "waf-token-proxy intermediate", constraints: constraints, validity: validity)
        try self.init(issuer: intermediate, above: [root.certificate])
    }

    /// Takes one that exists: kept by us, or provided.
    ///
    /// Throws `malformedInput` for text that cannot be read, `certificate` for certificates that cannot be used.
    ///
    /// - Parameters:
    ///   - certificatePEM: the certificate that signs leaves, then its issuer and so on; a root stands last. A root
    ///     alone signs leaves itself.
    ///   - keyPEM: the key of the first certificate, unencrypted.
    public convenience init(certificatePEM: String, keyPEM: String) throws(TLSError) {
        let certificates = try Certificate.chain(pem: certificatePEM)
        let key = try PrivateKey(pem: keyPEM)
        let first = certificates[0]
        guard first.isAuthority else {
            throw TLSError(.certificate, "the first certificate is not one that may sign others", faults: [])
        }
        guard first.certifies(key) else {
            throw TLSError(.certificate, "the key does not belong to the first certificate", faults: [])
        }
        for (lower, upper) in zip(certificates, certificates.dropFirst()) where !lower.isIssued(by: upper) {
            throw TLSError(.certificate, "each certificate has to be followed by the one that issued it", faults: [])
        }
        try self.init(issuer: Issuer(certificate: first, key: key), above: Array(certificates.dropFirst()))
    }

    private init(issuer: Issuer, above: [Certificate]) throws(TLSError) {
        self.issuer = issuer
        let all = [issuer.certificate] + above
        trustAnchor = all[all.count - 1]
        trustAnchorPEM = try trustAnchor.pem()
        chain = trustAnchor.isSelfIssued ? Array(all.dropLast()) : all
        var notBefore = Int.min
        var notAfter = Int.max
        for certificate in all {
            let validity = try certificate.validity()
            notBefore = max(notBefore, validity.lowerBound)
            notAfter = min(notAfter, validity.upperBound)
        }
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Whether every certificate of it lets it sign for this host: a provided one may have constraints of its own.
    ///
    /// - Parameter host: a name in lower case without a trailing dot, or an address without brackets.
    public func permits(_ host: String) throws(TLSError) -> Bool {
        guard certificates.contains(where: \.hasNameConstraints) else { return true }
        let isAddress = IPOctets(host) != nil
        let leaf = try issuer.leaf(
            dnsNames: isAddress ? [] : [host], ipAddresses: isAddress ? [host] : [], key: issuer.key,
            validity: notBefore..<notAfter)
        return certificates.allSatisfy { $0.permits(leaf) }
    }

    /// Its certificates from the one that signs leaves up to the trust anchor.
    public var certificates: [Certificate] { trustAnchor.isSelfIssued ? chain + [trustAnchor] : chain }

    /// All certificates in PEM, as `init(certificatePEM:keyPEM:)` reads them.
    public func certificatePEM() throws(TLSError) -> String {
        var text = ""
        for certificate in certificates { text += try certificate.pem() }
        return text
    }

    /// The key that signs leaves, in PEM: for a file with mode 0600 and nothing else.
    public func keyPEM() throws(TLSError) -> String { try issuer.key.pem() }
}

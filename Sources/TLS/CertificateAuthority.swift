internal import COpenSSL

/// A root that lives as long as the process and issues leaves itself: for an origin of our own, to be trusted by tests.
///
/// EC P-256 throughout; every certificate is valid from 48 hours ago, for clients whose clock is behind. Passes
/// `openssl verify -x509_strict`. The key never leaves the object. Immutable, so it may be shared between threads.
public final class CertificateAuthority: Sendable {
    /// The self-signed root.
    public let certificate: Certificate
    private let key: PrivateKey
    private let notAfter: Int

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
        guard name.utf8.count <= 50 else { throw TLSError(.malformedInput, "a name of more than 50 bytes", faults: []) }
        key = try PrivateKey.generateP256()
        notAfter = now + Self.rootDays * Self.day
        let builder = try CertificateBuilder(publicKeyOf: key)
        try builder.setValidity(from: now - Self.backdate, to: notAfter)
        try builder.setSubject(commonName: "\(name) \(try key.fingerprint())")
        try builder.setIssuer(nil)
        try builder.add(NID_basic_constraints, "critical,CA:TRUE", issuer: nil)
        try builder.add(NID_key_usage, "critical,keyCertSign,cRLSign", issuer: nil)
        try builder.add(NID_subject_key_identifier, "hash", issuer: nil)
        try builder.add(NID_authority_key_identifier, "keyid:always", issuer: nil)
        certificate = try builder.sign(with: key)
    }

    /// Issues a leaf for servers, with a key of its own.
    ///
    /// - Parameters:
    ///   - dnsNames: ASCII, wildcards allowed; the first one becomes the common name if it has at most 63 bytes.
    ///   - ipAddresses: literals, IPv6 without brackets.
    ///   - now: seconds since 1970.
    public func issueLeaf(dnsNames: [String], ipAddresses: [String] = [], now: Int) throws(TLSError) -> TLSIdentity {
        let names = try AlternativeNames(dnsNames: dnsNames, ipAddresses: ipAddresses)
        let leafKey = try PrivateKey.generateP256()
        let builder = try CertificateBuilder(publicKeyOf: leafKey)
        try builder.setValidity(from: now - Self.backdate, to: min(now + Self.leafDays * Self.day, notAfter))
        let commonName = dnsNames.first.flatMap { $0.utf8.count <= 63 ? $0 : nil }
        if let commonName { try builder.setSubject(commonName: commonName) }
        try builder.setIssuer(certificate)
        try builder.add(names, isCritical: commonName == nil)
        try builder.add(NID_key_usage, "critical,digitalSignature", issuer: certificate)
        try builder.add(NID_ext_key_usage, "serverAuth", issuer: certificate)
        try builder.add(NID_subject_key_identifier, "hash", issuer: certificate)
        try builder.add(NID_authority_key_identifier, "keyid:always", issuer: certificate)
        return TLSIdentity(chain: [try builder.sign(with: key)], key: leafKey)
    }
}

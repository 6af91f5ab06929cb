internal import COpenSSL

/// Who signs: a certificate and its key. The one place where certificates of ours are made.
///
/// EC P-256 throughout. Immutable, so it may be shared between threads.
struct Issuer: Sendable {
    let certificate: Certificate
    let key: PrivateKey

    /// Makes a root. Its subject is `name` and a fingerprint of its key, so that a new key is a new subject.
    ///
    /// - Parameters:
    ///   - name: up to 50 bytes, for people.
    ///   - validity: seconds since 1970.
    static func root(name: String, validity: Range<Int>) throws(TLSError) -> Issuer {
        try make(name: name, signedBy: nil, validity: validity) { builder throws(TLSError) in
            try builder.add(NID_basic_constraints, "critical,CA:TRUE", issuer: nil)
        }
    }

    /// Makes an authority below this one, for leaves of servers alone and for these names alone (nil: for all).
    func intermediate(
        name: String, constraints: NameConstraints?, validity: Range<Int>
    ) throws(TLSError) -> Issuer {
        try Self.make(name: name, signedBy: self, validity: validity) { builder throws(TLSError) in
            try builder.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0", issuer: certificate)
            try builder.add(NID_ext_key_usage, "serverAuth", issuer: certificate)
            if let constraints { try builder.add(constraints) }
        }
    }

    private static func make(
        name: String, signedBy issuer: Issuer?, validity: Range<Int>,
        adding extensions: (borrowing CertificateBuilder) throws(TLSError) -> Void
    ) throws(TLSError) -> Issuer {
        guard name.utf8.count <= 50 else { throw TLSError(.malformedInput, "a name of more than 50 bytes", faults: []) }
        let key = try PrivateKey.generateP256()
        let builder = try CertificateBuilder(publicKeyOf: key)
        try builder.setValidity(from: validity.lowerBound, to: validity.upperBound)
        try builder.setSubject(commonName: "\(name) \(try key.fingerprint())")
        try builder.setIssuer(issuer?.certificate)
        try extensions(builder)
        try builder.add(NID_key_usage, "critical,keyCertSign,cRLSign", issuer: issuer?.certificate)
        try builder.add(NID_subject_key_identifier, "hash", issuer: issuer?.certificate)
        try builder.add(NID_authority_key_identifier, "keyid:always", issuer: issuer?.certificate)
        return Issuer(certificate: try builder.sign(with: issuer?.key ?? key), key: key)
    }

    /// Signs a certificate for servers.
    ///
    /// Names go in as they are, whatever the issuer is constrained to. The first DNS name becomes the common name if it
    /// has at most 63 bytes; else the subject is empty and the alternative names are critical (RFC 5280 §4.2.1.6). An
    /// address never becomes the common name: constraints on names would be applied to it there.
    ///
    /// - Parameters:
    ///   - dnsNames: ASCII, wildcards allowed.
    ///   - ipAddresses: literals, IPv6 without brackets.
    ///   - leafKey: the leaf's own key.
    ///   - validity: seconds since 1970; cut to the issuer's own.
    func leaf(
        dnsNames: [String], ipAddresses: [String], key leafKey: PrivateKey, validity: Range<Int>
    ) throws(TLSError) -> Certificate {
        let validity = validity.clamped(to: try certificate.validity())
        guard !validity.isEmpty else { throw TLSError(.certificate, "the authority is not valid now", faults: []) }
        let names = try AlternativeNames(dnsNames: dnsNames, ipAddresses: ipAddresses)
        let builder = try CertificateBuilder(publicKeyOf: leafKey)
        try builder.setValidity(from: validity.lowerBound, to: validity.upperBound)
        let commonName = dnsNames.first.flatMap { $0.utf8.count <= 63 ? $0 : nil }
        if let commonName { try builder.setSubject(commonName: commonName) }
        try builder.setIssuer(certificate)
        try builder.add(names, isCritical: commonName == nil)
        try builder.add(NID_key_usage, "critical,digitalSignature", issuer: certificate)
        try builder.add(NID_ext_key_usage, "serverAuth", issuer: certificate)
        try builder.add(NID_subject_key_identifier, "hash", issuer: certificate)
        // Without "always": a provided authority may lack the identifier that is copied.
        try builder.add(NID_authority_key_identifier, "keyid", issuer: certificate)
        return try builder.sign(with: key)
    }
}

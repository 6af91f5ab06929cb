internal import COpenSSL

/// One certificate in the making (RFC 5280). Each setter throws what OpenSSL reports.
struct CertificateBuilder: ~Copyable {
    private let certificate: Certificate

    init(publicKeyOf key: PrivateKey) throws(TLSError) {
        let made = Certificate(owning: try require(X509_new(), "X509_new"))
        try require(X509_set_version(made.pointer, 2), "X509_set_version")  // v3
        try require(X509_set_pubkey(made.pointer, key.pointer), "X509_set_pubkey")
        try Self.setRandomSerial(of: made)
        certificate = made
    }

    /// 16 random bytes, positive (RFC 5280 §4.1.2.2).
    private static func setRandomSerial(of certificate: Certificate) throws(TLSError) {
        let number = try require(BN_new(), "BN_new")
        defer { BN_free(number) }
        try require(BN_rand(number, 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY), "BN_rand")
        let serial = X509_get_serialNumber(certificate.pointer)
        _ = try require(BN_to_ASN1_INTEGER(number, serial), "BN_to_ASN1_INTEGER")
    }

    /// Validity in seconds since 1970.
    func setValidity(from notBefore: Int, to notAfter: Int) throws(TLSError) {
        var zero = 0
        _ = try require(
            X509_time_adj_ex(
                X509_getm_notBefore(certificate.pointer), Int32(notBefore / 86400), notBefore % 86400, &zero),
            "X509_time_adj_ex")
        _ = try require(
            X509_time_adj_ex(X509_getm_notAfter(certificate.pointer), Int32(notAfter / 86400), notAfter % 86400, &zero),
            "X509_time_adj_ex")
    }

    /// A subject of one common name: at most 64 bytes (RFC 5280 appendix A.1, ub-common-name).
    func setSubject(commonName: String) throws(TLSError) {
        let name = X509_get_subject_name(certificate.pointer)
        try require(
            X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, commonName, -1, -1, 0), "X509_NAME_add_entry_by_txt")
    }

    /// Makes the certificate its own issuer, or another one's subject.
    func setIssuer(_ issuer: Certificate?) throws(TLSError) {
        let name = X509_get_subject_name(issuer?.pointer ?? certificate.pointer)
        try require(X509_set_issuer_name(certificate.pointer, name), "X509_set_issuer_name")
    }

    /// Adds an extension in the syntax of x509v3_config(5): constants of ours only, never a name from outside.
    func add(_ identifier: Int32, _ value: StaticString, issuer: Certificate?) throws(TLSError) {
        var context = X509V3_CTX()
        wtp_X509V3_set_ctx(&context, issuer?.pointer ?? certificate.pointer, certificate.pointer)
        let made = X509V3_EXT_conf_nid(nil, &context, identifier, "\(value)")
        let ext = try require(made, "X509V3_EXT_conf_nid")
        defer { X509_EXTENSION_free(ext) }
        try require(X509_add_ext(certificate.pointer, ext, -1), "X509_add_ext")
    }

    /// Adds the subject alternative names; critical where the subject is empty (RFC 5280 §4.2.1.6).
    func add(_ names: AlternativeNames, isCritical: Bool) throws(TLSError) {
        try add(NID_subject_alt_name, UnsafeMutableRawPointer(names.pointer), isCritical: isCritical)
    }

    /// Adds name constraints, critical (RFC 5280 §4.2.1.10).
    func add(_ constraints: NameConstraints) throws(TLSError) {
        let encoded = try ConstraintTrees(constraints)
        try add(NID_name_constraints, UnsafeMutableRawPointer(encoded.pointer), isCritical: true)
    }

    private func add(_ identifier: Int32, _ value: UnsafeMutableRawPointer, isCritical: Bool) throws(TLSError) {
        try require(
            X509_add1_ext_i2d(certificate.pointer, identifier, value, isCritical ? 1 : 0, 0), "X509_add1_ext_i2d")
    }

    /// Signs with SHA-256, or as the key's kind demands; nothing may be changed afterwards.
    consuming func sign(with key: PrivateKey) throws(TLSError) -> Certificate {
        guard X509_sign(certificate.pointer, key.pointer, key.signatureDigest) > 0 else {
            throw TLSError(.library, "X509_sign failed")
        }
        return certificate
    }
}

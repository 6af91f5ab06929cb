internal import COpenSSL
private import Glibc

extension Certificate {
    /// From when until when it is valid, in seconds since 1970.
    public func validity() throws(TLSError) -> Range<Int> {
        let start = try Self.seconds(X509_get0_notBefore(pointer))
        let end = try Self.seconds(X509_get0_notAfter(pointer))
        guard start <= end else { throw TLSError(.malformedInput, "a certificate that ends before it begins") }
        return start..<end
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) throws(TLSError) -> Int {
        var broken = tm()
        guard ASN1_TIME_to_tm(time, &broken) == 1 else { throw TLSError(.malformedInput, "a time that is none") }
        return timegm(&broken)
    }

    /// The SHA-256 of the certificate (DER): 64 hexadecimal digits.
    public func fingerprint() throws(TLSError) -> String {
        var digest = Digest(size: 32)
        var result: Int32 = 0
        digest.withMutableBytes { result = X509_digest(pointer, EVP_sha256(), $0, nil) }
        try require(result, "X509_digest")
        return digest.hex
    }

    /// The subject in one line (RFC 2253), escaped to ASCII.
    public func subject() throws(TLSError) -> String {
        let memory = try MemoryBIO()
        guard X509_NAME_print_ex(memory.pointer, X509_get_subject_name(pointer), 0, wtp_XN_FLAG_RFC2253()) >= 0 else {
            throw TLSError(.library, "X509_NAME_print_ex failed")
        }
        return memory.text
    }

    /// Whether it may sign certificates: a v3 authority whose key usage, if it has one, says so (X509_check_ca(3)).
    var isAuthority: Bool { X509_check_ca(pointer) == 1 }

    /// Whether subject and issuer are the same: what a root looks like.
    var isSelfIssued: Bool { X509_NAME_cmp(X509_get_subject_name(pointer), X509_get_issuer_name(pointer)) == 0 }

    /// Whether `issuer` signed it and may have done so (X509_check_issued(3), X509_verify(3)).
    func isIssued(by issuer: Certificate) -> Bool {
        defer { ERR_clear_error() }
        return X509_check_issued(issuer.pointer, pointer) == X509_V_OK
            && X509_verify(pointer, X509_get0_pubkey(issuer.pointer)) == 1
    }

    /// Whether this is the key that it certifies.
    func certifies(_ key: PrivateKey) -> Bool {
        defer { ERR_clear_error() }
        return X509_check_private_key(pointer, key.pointer) == 1
    }
}

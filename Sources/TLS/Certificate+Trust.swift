internal import COpenSSL

extension Certificate {
    /// SHA-256 of the whole certificate in DER: equal for equal certificates.
    public func fingerprint() throws(TLSError) -> Digest {
        var digest = Digest(size: 32)
        var result: Int32 = 0
        digest.withMutableBytes { result = X509_digest(pointer, EVP_sha256(), $0, nil) }
        try require(result, "X509_digest")
        return digest
    }

    /// The hash of the subject by which OpenSSL finds a certificate in a directory (openssl-rehash(1)): 8 hexadecimal
    /// digits.
    public var subjectHash: String {
        let digits = String(UInt32(truncatingIfNeeded: X509_subject_name_hash(pointer)), radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    /// What people call it: the last common name of the subject, else its unit or organisation, else nothing.
    public var displayName: String? {
        [NID_commonName, NID_organizationalUnitName, NID_organizationName].lazy.compactMap { self.subject($0) }.first
    }

    private func subject(_ identifier: Int32) -> String? {
        let name = X509_get_subject_name(pointer)
        var last: Int32 = -1
        while case let next = X509_NAME_get_index_by_NID(name, identifier, last), next >= 0 { last = next }
        guard last >= 0, let entry = X509_NAME_get_entry(name, last) else { return nil }
        var text: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry))
        guard count > 0, let text else { return nil }
        defer { wtp_OPENSSL_free(text) }
        return String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
    }
}

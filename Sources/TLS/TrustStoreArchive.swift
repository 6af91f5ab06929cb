internal import COpenSSL

/// A PKCS#12 archive (RFC 7292) of certificates to trust, for Java.
///
/// Java takes an entry for a trusted one only where its bag has the attribute `trustedKeyUsage`
/// (2.16.840.1.113894.746875.1.1); keytool lists none of the others. Nothing in it is secret, so it is not encrypted,
/// which also spares every reader the derivation of a key; the MAC is there because Java checks it against the
/// password.
public enum TrustStoreArchive {
    /// Oracle's attribute, and the one value it takes: any usage (RFC 5280 §4.2.1.12).
    private static let trustedKeyUsage = "2.16.840.1.113894.746875.1.1"

    /// The archive of at least one certificate in DER.
    ///
    /// Each entry's alias is its `displayName` in lower case, with a number behind it where another one has it already:
    /// Java keeps one entry for an alias.
    public static func pkcs12(_ certificates: [Certificate], password: String) throws(TLSError) -> [UInt8] {
        guard !certificates.isEmpty else {
            throw TLSError(.malformedInput, "a trust store of no certificates", faults: [])
        }
        let usage = try require(OBJ_nid2obj(NID_anyExtendedKeyUsage), "OBJ_nid2obj")
        var bags: OpaquePointer?
        defer { wtp_PKCS12_SAFEBAGS_free(bags) }
        for (certificate, alias) in zip(certificates, aliases(of: certificates)) {
            let bag = try require(PKCS12_add_cert(&bags, certificate.pointer), "PKCS12_add_cert")
            try require(PKCS12_add_friendlyname_utf8(bag, alias, -1), "PKCS12_add_friendlyname_utf8")
            try require(wtp_PKCS12_add1_object_attr(bag, trustedKeyUsage, usage), "PKCS12_add1_attr_by_txt")
        }
        var safes: OpaquePointer?
        defer { wtp_PKCS7S_free(safes) }
        try require(PKCS12_add_safe(&safes, bags, -1, 0, nil), "PKCS12_add_safe")  // -1: not encrypted
        let archive = try require(PKCS12_add_safes(safes, 0), "PKCS12_add_safes")
        defer { PKCS12_free(archive) }
        try require(PKCS12_set_mac(archive, password, -1, nil, 0, 2048, EVP_sha256()), "PKCS12_set_mac")
        let memory = try MemoryBIO()
        try require(i2d_PKCS12_bio(memory.pointer, archive), "i2d_PKCS12_bio")
        return memory.withBytes { $0.withUnsafeBufferPointer { Array($0) } }
    }

    static func aliases(of certificates: [Certificate]) -> [String] {
        var counts: [String: Int] = [:]
        return certificates.map { certificate in
            let name = (certificate.displayName ?? "certificate").lowercased()
            let count = counts[name, default: 0] + 1
            counts[name] = count
            return count == 1 ? name : "\(name) (\(count))"
        }
    }
}

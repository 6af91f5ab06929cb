internal import COpenSSL

/// A private key. Owns one `EVP_PKEY`. Immutable once made, so it may be shared between threads.
public final class PrivateKey: @unchecked Sendable {
    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    /// What is hashed with before signing; nil where the algorithm does that itself (EVP_DigestSignInit(3)).
    var signatureDigest: OpaquePointer? {
        switch EVP_PKEY_get_id(pointer) {
        case EVP_PKEY_ED25519, EVP_PKEY_ED448: nil
        default: EVP_sha256()
        }
    }

    /// A new key on the curve P-256 (EVP_EC_gen(3)).
    public static func generateP256() throws(TLSError) -> PrivateKey {
        PrivateKey(owning: try require(wtp_EVP_EC_gen_P256(), "EVP_EC_gen"))
    }

    /// Reads the first private key of a PEM text, unencrypted (RFC 7468 §10).
    public convenience init(pem: String) throws(TLSError) {
        let memory = try MemoryBIO(holding: pem)
        // A callback that gives no password: OpenSSL's default one would ask on the terminal.
        guard let key = PEM_read_bio_PrivateKey(memory.pointer, nil, { _, _, _, _ in 0 }, nil) else {
            throw TLSError(.malformedInput, "no unencrypted private key in the PEM text")
        }
        self.init(owning: key)
    }

    /// The key as PKCS #8 in PEM, unencrypted: for a file with mode 0600 and nothing else.
    public func pem() throws(TLSError) -> String {
        let memory = try MemoryBIO()
        try require(
            PEM_write_bio_PKCS8PrivateKey(memory.pointer, pointer, nil, nil, 0, nil, nil),
            "PEM_write_bio_PKCS8PrivateKey")
        return memory.text
    }

    /// The first `count` hexadecimal digits of the SHA-256 of the public key (SubjectPublicKeyInfo, DER).
    public func fingerprint(digits count: Int = 8) throws(TLSError) -> String {
        var der: UnsafeMutablePointer<UInt8>?
        let length = i2d_PUBKEY(pointer, &der)
        guard length > 0, let der else { throw TLSError(.library, "i2d_PUBKEY failed") }
        defer { CRYPTO_free(der, #file, #line) }
        let bytes = UnsafeBufferPointer(start: der, count: Int(length))
        return String(SHA256.hash(Span(_unsafeElements: bytes)).hex.prefix(count))
    }
}

internal import COpenSSL

/// SHA-256 of a stream of bytes (FIPS 180-4; EVP_DigestUpdate(3)). Owns one `EVP_MD_CTX`. Confined to its user.
public final class SHA256 {
    private let context: OpaquePointer

    /// A hash of nothing yet.
    public init() {
        // Both fail only when memory runs out or the library is broken: nothing of that comes from input.
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("no SHA-256 in the installed OpenSSL")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes.
    public func update(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// The hash of all that was added. Call once, last.
    public func finish() -> Digest {
        var digest = Digest(size: 32)
        digest.withMutableBytes { _ = EVP_DigestFinal_ex(context, $0, nil) }
        return digest
    }

    /// The hash of these bytes.
    public static func hash(_ bytes: Span<UInt8>) -> Digest {
        var digest = Digest(size: 32)
        digest.withMutableBytes { out in
            bytes.withUnsafeBufferPointer { _ = EVP_Digest($0.baseAddress, $0.count, out, nil, EVP_sha256(), nil) }
        }
        return digest
    }
}

/// SHA-1 (FIPS 180-4), for what protocols demand of it: the WebSocket accept key (RFC 6455 §4.2.2). Not for security.
public enum SHA1 {
    /// The hash of these bytes: 20 bytes.
    public static func hash(_ bytes: Span<UInt8>) -> Digest {
        var digest = Digest(size: 20)
        digest.withMutableBytes { out in
            bytes.withUnsafeBufferPointer { _ = EVP_Digest($0.baseAddress, $0.count, out, nil, EVP_sha1(), nil) }
        }
        return digest
    }
}

/// HMAC with SHA-256 (RFC 2104).
public enum HMACSHA256 {
    /// The 32-byte code of `bytes` under `key`.
    public static func code(for bytes: Span<UInt8>, key: [UInt8]) -> Digest {
        var digest = Digest(size: 32)
        digest.withMutableBytes { out in
            bytes.withUnsafeBufferPointer {
                _ = HMAC(EVP_sha256(), key, Int32(key.count), $0.baseAddress, $0.count, out, nil)
            }
        }
        return digest
    }
}

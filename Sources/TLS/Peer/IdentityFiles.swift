internal import COpenSSL

/// The PEM files of a certificate and its key, read the way libcurl reads them for every new connection.
public enum IdentityFiles {
    /// Throws unless `certificate` begins with a certificate, `key` holds an unencrypted key, and the two belong
    /// together.
    public static func check(certificate: String, key: String) throws(TLSError) {
        let context = try require(SSL_CTX_new(TLS_client_method()), "SSL_CTX_new")
        defer { SSL_CTX_free(context) }
        // A callback that gives no password: OpenSSL's default one would ask on the terminal.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
        guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
            throw TLSError(.malformedInput, "no certificate in the first file")
        }
        guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1, SSL_CTX_check_private_key(context) == 1
        else { throw TLSError(.malformedInput, "no unencrypted key of this certificate in the second file") }
    }
}

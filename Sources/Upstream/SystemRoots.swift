internal import Glibc

/// Where distributions keep the roots that the whole system trusts.
public enum SystemRoots {
    static let directories = ["/etc/ssl/certs", "/usr/lib/ssl/certs", "/etc/pki/tls/certs"]
    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    ]

    /// The file that holds all of them in PEM; nil where there is none that can be read.
    public static var bundle: String? { bundles.first { access($0, R_OK) == 0 } }
}

/// What clients of each kind can trust besides the authority alone: files of the trust kit that are the same in every
/// folder.
public enum TrustFile: String, Sendable, CaseIterable {
    /// The authority and the roots of the proxy's machine.
    case bundle = "bundle.pem"
    /// The same for Java; its password is `changeit`.
    case trustStore = "truststore.p12"

    var mediaType: String {
        switch self {
        case .bundle: "application/x-pem-file"
        case .trustStore: "application/x-pkcs12"
        }
    }
}

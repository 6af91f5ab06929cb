internal import COpenSSL

/// Alerts of RFC 8446 §6 that are sent, or told apart, here.
public enum TLSAlert: UInt8, Sendable, Hashable {
    case badCertificate = 42
    case unsupportedCertificate = 43
    case certificateRevoked = 44
    case certificateExpired = 45
    case certificateUnknown = 46
    case unknownCA = 48
    case unrecognizedName = 112

    /// The name in the RFC.
    public var name: StaticString {
        switch self {
        case .badCertificate: "bad_certificate"
        case .unsupportedCertificate: "unsupported_certificate"
        case .certificateRevoked: "certificate_revoked"
        case .certificateExpired: "certificate_expired"
        case .certificateUnknown: "certificate_unknown"
        case .unknownCA: "unknown_ca"
        case .unrecognizedName: "unrecognized_name"
        }
    }

    /// The alert as a whole record in clear text, fatal, for before a session begins (RFC 8446 §5.1, §6).
    public var record: [UInt8] { [21, 3, 3, 0, 2, 2, rawValue] }
}

extension TLSError {
    /// Whether both sides have no version, cipher suite or protocol in common.
    public var isIncompatible: Bool {
        let reasons = [
            SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_NO_SHARED_CIPHER, SSL_R_VERSION_TOO_LOW, SSL_R_WRONG_VERSION_NUMBER,
            SSL_R_NO_APPLICATION_PROTOCOL, SSL_R_WRONG_SSL_VERSION,
        ]
        return faults.contains { fault in reasons.contains { Int($0) == fault.reason } }
    }

    /// The alert by which the peer ended the handshake, where it was one about our certificate.
    public var peerAlert: TLSAlert? {
        // OpenSSL reports an alert of the peer as its number plus 1000 (SSL_AD_REASON_OFFSET).
        faults.lazy.compactMap { (1000..<1256).contains($0.reason) ? TLSAlert(rawValue: UInt8($0.reason - 1000)) : nil }
            .first
    }
}

internal import COpenSSL

/// Watches OpenSSL verify a peer's certificate on an `SSL_CTX` that somebody else made (libcurl's), and says afterwards
/// what was wrong with it.
///
/// Only looks: what is accepted and what is not stays OpenSSL's decision. Confined to the context's thread.
public final class PeerVerification {
    private var leaf: Certificate?
    private var failure: Failure?

    fileprivate struct Failure {
        /// X509_V_ERR_… (X509_STORE_CTX_get_error(3)).
        let code: Int32
        /// The certificate that was looked at, and how many stand between it and the leaf.
        let certificate: Certificate
        let depth: Int32
    }

    /// Begins to watch; nil where the context verifies nothing.
    ///
    /// - Parameter context: an `SSL_CTX *` without sessions yet. It keeps this object for as long as it lives.
    public init?(watching context: UnsafeMutableRawPointer) {
        let pointer = OpaquePointer(context)
        let mode = SSL_CTX_get_verify_mode(pointer)
        guard mode != SSL_VERIFY_NONE, Self.slot >= 0 else { return nil }
        let me = Unmanaged.passRetained(self)
        guard SSL_CTX_set_ex_data(pointer, Self.slot, me.toOpaque()) == 1 else {
            me.release()
            return nil
        }
        SSL_CTX_set_verify(pointer, mode, didVerify)
    }

    /// Begins to watch a client's context of ours.
    public convenience init?(watching context: TLSContext) {
        self.init(watching: UnsafeMutableRawPointer(context.pointer))
    }

    /// Where a context keeps its object (SSL_CTX_get_ex_new_index(3)).
    fileprivate static let slot = wtp_SSL_CTX_get_ex_new_index { _, object, _, _, _, _ in
        if let object { Unmanaged<PeerVerification>.fromOpaque(object).release() }
    }

    fileprivate func note(isAccepted: Bool, _ store: OpaquePointer) {
        guard failure == nil, let current = X509_STORE_CTX_get_current_cert(store) else { return }
        let depth = X509_STORE_CTX_get_error_depth(store)
        if depth == 0, leaf == nil { leaf = Certificate(sharing: current) }
        if !isAccepted {
            failure = Failure(
                code: X509_STORE_CTX_get_error(store), certificate: Certificate(sharing: current), depth: depth)
        }
    }

    /// One sentence on why the certificate was refused, with texts of the certificate as they are: escape it. Nil where
    /// nothing was refused and no certificate was seen.
    ///
    /// - Parameter name: what the peer was asked for; where the chain was accepted, it is the name that does not match.
    public func reason(askedFor name: String) -> String? {
        if let failure { return failure.sentence }
        guard let leaf else { return nil }
        let names = leaf.subjectNames
        if names.isEmpty { return "The certificate is not for \(name): it names no host at all." }
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        return "The certificate is not for \(name) but for \(names.prefix(3).joined(separator: ", "))\(more)."
    }
}

extension PeerVerification.Failure {
    fileprivate var sentence: String {
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return "\(subject) expired on \(certificate.notAfter)."
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return "\(subject) is not valid before \(certificate.notBefore)."
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            return "The certificate is self-signed, and not in --upstream-ca-file."
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            return "The chain ends at the root \(certificate.subjectText), which is not trusted (--upstream-ca-file)."
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
            let issuer = certificate.issuerText
            return depth == 0
                ? "The issuer \(issuer) is not trusted (--upstream-ca-file), or the origin omits an intermediate certificate."
                : "The chain's issuer \(issuer) is not trusted (--upstream-ca-file), or another intermediate is missing."
        case X509_V_ERR_CERT_REVOKED:
            return "\(subject) is revoked."
        default:
            let text = X509_verify_cert_error_string(Int(code)).map { String(cString: $0) } ?? "error \(code)"
            return "\(subject) is refused: \(text)."
        }
    }

    private var subject: String {
        depth == 0 ? "The certificate" : "The chain's certificate of \(certificate.subjectText)"
    }
}

/// SSL_CTX_set_verify(3): called for every certificate of a chain; only unwraps its pointers.
private let didVerify: SSL_verify_cb = { isAccepted, store in
    guard let store, let session = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let context = SSL_get_SSL_CTX(OpaquePointer(session)),
        let object = SSL_CTX_get_ex_data(context, PeerVerification.slot)
    else { return isAccepted }
    Unmanaged<PeerVerification>.fromOpaque(object).takeUnretainedValue().note(isAccepted: isAccepted == 1, store)
    return isAccepted
}

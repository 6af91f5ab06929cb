internal import COpenSSL

/// What all sessions of one server, or of one client, have in common. Owns one `SSL_CTX`.
///
/// Configured in its initialiser and never changed afterwards, so it may be shared between threads (SSL_CTX_new(3)
/// counts references atomically, and the ticket keys are guarded by OpenSSL's own lock).
public final class TLSContext: @unchecked Sendable {
    /// Which side of the handshake its sessions take.
    public enum Role: Sendable, Hashable { case server, client }

    /// A protocol version.
    public enum Version: Sendable, Hashable {
        case tls12, tls13

        var number: Int32 { self == .tls12 ? TLS1_2_VERSION : TLS1_3_VERSION }
    }

    /// Which side of the handshake its sessions take.
    public let role: Role
    let pointer: OpaquePointer
    /// The server's protocols in wire form, by preference; empty: ALPN is not answered.
    private let protocols: [UInt8]
    fileprivate let insistsOnProtocol: Bool

    /// A server with a certificate.
    ///
    /// - Parameters:
    ///   - protocols: ALPN names by our preference, 1 to 255 bytes each. Where the client offers none of them the
    ///     handshake goes on without one (RFC 7301 §3.2 leaves that to the server).
    public convenience init(
        serverIdentity identity: TLSIdentity, protocols: [String] = [],
        versions: ClosedRange<Version> = .tls12 ... .tls13
    ) throws(TLSError) {
        try self.init(.server, protocols: protocols, versions: versions)
        guard let leaf = identity.chain.first else {
            throw TLSError(.malformedInput, "a chain of no certificates", faults: [])
        }
        try require(SSL_CTX_use_certificate(pointer, leaf.pointer), "SSL_CTX_use_certificate")
        for certificate in identity.chain.dropFirst() {
            try require(wtp_SSL_CTX_add1_chain_cert(pointer, certificate.pointer), "SSL_CTX_add1_chain_cert")
        }
        try require(SSL_CTX_use_PrivateKey(pointer, identity.key.pointer), "SSL_CTX_use_PrivateKey")
        try require(SSL_CTX_check_private_key(pointer), "SSL_CTX_check_private_key")
    }

    /// A server whose sessions each bring a certificate of their own.
    ///
    /// - Parameters:
    ///   - protocols: ALPN names by our preference. A client that offers others alone is refused with the alert
    ///     no_application_protocol (RFC 7301 §3.2); one that offers none at all is not.
    public convenience init(
        serverProtocols protocols: [String], versions: ClosedRange<Version> = .tls12 ... .tls13
    ) throws(TLSError) {
        try self.init(.server, protocols: protocols, versions: versions, insistsOnProtocol: true)
    }

    /// A client that trusts these roots and nothing else.
    public convenience init(
        trusting roots: [Certificate], protocols: [String] = [], versions: ClosedRange<Version> = .tls12 ... .tls13
    ) throws(TLSError) {
        try self.init(.client, protocols: protocols, versions: versions)
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        let store = SSL_CTX_get_cert_store(pointer)
        for root in roots { try require(X509_STORE_add_cert(store, root.pointer), "X509_STORE_add_cert") }
        if !self.protocols.isEmpty {
            // Gives 0 for success, unlike everything else (SSL_CTX_set_alpn_protos(3)).
            try require(
                SSL_CTX_set_alpn_protos(pointer, self.protocols, UInt32(self.protocols.count)) + 1,
                "SSL_CTX_set_alpn_protos")
        }
    }

    /// A client that trusts the certificates of a PEM file and of a hashed directory (openssl-rehash(1)).
    ///
    /// - Parameter isVerified: false: every certificate is accepted.
    public convenience init(trustingFile file: String?, directory: String?, isVerified: Bool) throws(TLSError) {
        try self.init(.client, protocols: [], versions: .tls12 ... .tls13)
        guard isVerified else { return }
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        if let file { try require(SSL_CTX_load_verify_file(pointer, file), "SSL_CTX_load_verify_file") }
        if let directory { try require(SSL_CTX_load_verify_dir(pointer, directory), "SSL_CTX_load_verify_dir") }
    }

    private init(
        _ role: Role, protocols: [String], versions: ClosedRange<Version>, insistsOnProtocol: Bool = false
    ) throws(TLSError) {
        self.role = role
        self.insistsOnProtocol = insistsOnProtocol
        var wire: [UInt8] = []
        for name in protocols {
            guard (1...255).contains(name.utf8.count) else {
                throw TLSError(.malformedInput, "an ALPN name of no or more than 255 bytes", faults: [])
            }
            wire.append(UInt8(name.utf8.count))
            wire.append(contentsOf: name.utf8)
        }
        self.protocols = wire
        let method = role == .server ? TLS_server_method() : TLS_client_method()
        pointer = try require(SSL_CTX_new(method), "SSL_CTX_new")
        try require(
            wtp_SSL_CTX_set_min_proto_version(pointer, versions.lowerBound.number), "SSL_CTX_set_min_proto_version")
        try require(
            wtp_SSL_CTX_set_max_proto_version(pointer, versions.upperBound.number), "SSL_CTX_set_max_proto_version")
        wtp_SSL_CTX_set_strict_options(pointer)
        // A resting session keeps no record buffers (about 34 KB each).
        _ = wtp_SSL_CTX_set_mode(pointer, Int(SSL_MODE_RELEASE_BUFFERS))
        if role == .server { prepareServer() }
    }

    private func prepareServer() {
        // Resumption by tickets alone: no session of anybody is kept in this process.
        _ = wtp_SSL_CTX_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_OFF))
        // One, where OpenSSL sends two: each costs a twentieth of a handshake, and a client that resumes gets the next one.
        SSL_CTX_set_num_tickets(pointer, 1)
        if !protocols.isEmpty {
            SSL_CTX_set_alpn_select_cb(pointer, chooseProtocol, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    deinit { SSL_CTX_free(pointer) }

    fileprivate func choose(
        from offered: UnsafeBufferPointer<UInt8>
    ) -> (start: UnsafePointer<UInt8>, count: UInt8)? {
        var chosen: UnsafeMutablePointer<UInt8>?
        var count: UInt8 = 0
        let result = SSL_select_next_proto(
            &chosen, &count, protocols, UInt32(protocols.count), offered.baseAddress, UInt32(offered.count))
        guard result == OPENSSL_NPN_NEGOTIATED, let chosen else { return nil }
        // The answer points into our list, which lives only for this call: find the same name in the client's list.
        return offered.place(of: UnsafeBufferPointer(start: chosen, count: Int(count)))
    }
}

extension TLSContext.Version: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// SSL_CTX_set_alpn_select_cb(3): only unwraps its pointers.
private let chooseProtocol: SSL_CTX_alpn_select_cb_func = { _, out, outLength, offered, offeredLength, argument in
    guard let argument, let out, let outLength, let offered else { return SSL_TLSEXT_ERR_NOACK }
    let context = Unmanaged<TLSContext>.fromOpaque(argument).takeUnretainedValue()
    let list = UnsafeBufferPointer(start: offered, count: Int(offeredLength))
    guard let choice = context.choose(from: list) else {
        return context.insistsOnProtocol ? SSL_TLSEXT_ERR_ALERT_FATAL : SSL_TLSEXT_ERR_NOACK
    }
    out.pointee = choice.start
    outLength.pointee = choice.count
    return SSL_TLSEXT_ERR_OK
}

extension UnsafeBufferPointer<UInt8> {
    /// Where a length-prefixed list holds this name.
    fileprivate func place(of name: UnsafeBufferPointer<UInt8>) -> (start: UnsafePointer<UInt8>, count: UInt8)? {
        var index = 0
        while index < count {
            let length = Int(self[index])
            guard length > 0, index + 1 + length <= count, let base = baseAddress else { return nil }
            let entry = UnsafeBufferPointer(rebasing: self[(index + 1)..<(index + 1 + length)])
            if entry.elementsEqual(name) { return (base + index + 1, UInt8(length)) }
            index += 1 + length
        }
        return nil
    }
}

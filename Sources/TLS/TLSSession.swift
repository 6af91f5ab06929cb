internal import COpenSSL

/// One TLS connection without any I/O: ciphertext goes in by `feed` and comes out by `withOutput`, plaintext goes in by
/// `write` and comes out by `read`.
///
/// Owns one `SSL` with its two memory buffers. After every call that may have made output (`handshake`, `read`,
/// `write`, `close`) the owner sends what `withOutput` lends, also after one that threw: it may be an alert.
/// Confined to its owner's thread.
public final class TLSSession {
    /// How far the session is.
    public enum State: Sendable, Hashable {
        /// Becomes `open` or `failed`.
        case handshaking
        /// Plaintext may be written until we close, and read until the peer does.
        case open
        /// An error ended it; nothing more can be read or written.
        case failed
    }

    /// What a step of the handshake led to.
    public enum HandshakeStep: Sendable, Hashable { case done, needsInput }

    /// What a read found.
    public enum ReadResult: Sendable, Hashable {
        /// So many bytes of plaintext were added.
        case bytes(Int)
        /// Nothing until more ciphertext comes.
        case needsInput
        /// The peer sent close_notify: its side ended in order.
        case closed
    }

    /// How far the session is.
    public private(set) var state = State.handshaking
    /// Whether our close_notify was written.
    public private(set) var didClose = false

    private let context: TLSContext
    private let pointer: OpaquePointer
    private let input: MemoryBIO
    private let output: MemoryBIO

    /// Begins a session.
    ///
    /// - Parameter peerName: for a client: the name (sent as SNI) or address literal (not sent) that the certificate
    ///   must be for. Nil checks the chain alone.
    public init(context: TLSContext, peerName: String? = nil) throws(TLSError) {
        self.context = context
        input = try MemoryBIO()
        output = try MemoryBIO()
        pointer = try require(SSL_new(context.pointer), "SSL_new")
        // Empty means "wait", not "ended", until `feedEnd` (BIO_s_mem(3)).
        wtp_BIO_set_mem_eof_return(input.pointer, -1)
        // SSL_set_bio takes a reference of each; ours is freed by MemoryBIO.
        BIO_up_ref(input.pointer)
        BIO_up_ref(output.pointer)
        SSL_set_bio(pointer, input.pointer, output.pointer)
        switch context.role {
        case .server: SSL_set_accept_state(pointer)
        case .client: SSL_set_connect_state(pointer)
        }
        if let peerName { try expect(peerName) }
    }

    /// Begins a server's session with a certificate of its own.
    ///
    /// - Parameter name: what the certificate is for: a session is only resumed for the same one.
    public convenience init(context: TLSContext, identity: TLSIdentity, name: String) throws(TLSError) {
        try self.init(context: context)
        guard let leaf = identity.chain.first else {
            throw TLSError(.malformedInput, "a chain of no certificates", faults: [])
        }
        try require(SSL_use_certificate(pointer, leaf.pointer), "SSL_use_certificate")
        for certificate in identity.chain.dropFirst() {
            try require(wtp_SSL_add1_chain_cert(pointer, certificate.pointer), "SSL_add1_chain_cert")
        }
        try require(SSL_use_PrivateKey(pointer, identity.key.pointer), "SSL_use_PrivateKey")
        let digest = SHA256.hash(Array(name.utf8).span)
        try require(
            SSL_set_session_id_context(pointer, digest.bytes, UInt32(digest.bytes.count)), "SSL_set_session_id_context")
    }

    deinit { SSL_free(pointer) }

    private func expect(_ peerName: String) throws(TLSError) {
        let parameters = SSL_get0_param(pointer)
        if let octets = a2i_IPADDRESS(peerName) {
            ASN1_OCTET_STRING_free(octets)
            try require(X509_VERIFY_PARAM_set1_ip_asc(parameters, peerName), "X509_VERIFY_PARAM_set1_ip_asc")
        } else {
            _ = OpenSSLFault.drain()
            try require(SSL_set1_host(pointer, peerName), "SSL_set1_host")
            try require(wtp_SSL_set_tlsext_host_name(pointer, peerName), "SSL_set_tlsext_host_name")
        }
    }

    // MARK: Ciphertext

    /// Takes what came from the transport.
    public func feed(_ ciphertext: Span<UInt8>) { input.append(ciphertext) }

    /// The transport ended: what is missing from now on will never come.
    public func feedEnd() { wtp_BIO_set_mem_eof_return(input.pointer, 0) }

    /// Whether there is ciphertext to send.
    public var hasOutput: Bool { output.count > 0 }

    /// Lends all ciphertext that is to be sent, and forgets it.
    public func withOutput(_ body: (Span<UInt8>) -> Void) {
        guard hasOutput else { return }
        output.withBytes(body)
        output.removeAll()
    }

    // MARK: Handshake

    /// Goes as far as the input allows. Done: the session is open.
    public func handshake() throws(TLSError) -> HandshakeStep {
        guard state == .handshaking else { return .done }
        ERR_clear_error()
        let result = SSL_do_handshake(pointer)
        if result == 1 {
            state = .open
            return .done
        }
        switch SSL_get_error(pointer, result) {
        case SSL_ERROR_WANT_READ: return .needsInput
        default: throw fail(.handshake, "the TLS handshake failed")
        }
    }

    private func fail(_ code: TLSError.Code, _ detail: String) -> TLSError {
        state = .failed
        let verification = SSL_get_verify_result(pointer)
        if code == .handshake, context.role == .client, verification != Int(X509_V_OK) {
            let reason = X509_verify_cert_error_string(verification).map { String(cString: $0) } ?? "\(verification)"
            return TLSError(.certificate, "the peer's certificate was not accepted (\(reason))")
        }
        let faults = OpenSSLFault.drain()
        if faults.contains(where: { $0.reason == Int(SSL_R_UNEXPECTED_EOF_WHILE_READING) }) {
            return TLSError(.truncated, "the transport ended without close_notify", faults: faults)
        }
        return TLSError(code, detail, faults: faults)
    }

    /// The name that the client asked for (RFC 6066 §3), once its hello was read; nil if it gave none.
    public var serverName: String? {
        SSL_get_servername(pointer, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    }

    /// The protocol that ALPN agreed on; nil for none.
    public var negotiatedProtocol: String? {
        var start: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(pointer, &start, &count)
        guard let start, count > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// `TLSv1.2` or `TLSv1.3`, once agreed.
    public var version: String { String(cString: SSL_get_version(pointer)) }

    // MARK: Plaintext

    /// Adds up to 16 KiB of plaintext (one record) to `plaintext`; call until it says otherwise than `bytes`.
    public func read(into plaintext: inout [UInt8]) throws(TLSError) -> ReadResult {
        var result = ReadResult.needsInput
        var failure: TLSError?
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16384) { buffer in
            do throws(TLSError) {
                result = try read(buffer)
                if case .bytes(let count) = result { plaintext.append(contentsOf: buffer[..<count]) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return result
    }

    /// Adds up to 16 KiB of plaintext, one record at a time, by lending it to `body`.
    public func read(_ body: (Span<UInt8>) -> Void) throws(TLSError) -> ReadResult {
        var result = ReadResult.needsInput
        var failure: TLSError?
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16384) { buffer in
            do throws(TLSError) {
                result = try read(buffer)
                if case .bytes(let count) = result {
                    body(Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer[..<count])))
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return result
    }

    private func read(_ buffer: UnsafeMutableBufferPointer<UInt8>) throws(TLSError) -> ReadResult {
        guard state == .open else { throw TLSError(.notOpen, "read outside an open session", faults: []) }
        ERR_clear_error()
        var count = 0
        let result = SSL_read_ex(pointer, buffer.baseAddress, buffer.count, &count)
        if result == 1 { return .bytes(count) }
        switch SSL_get_error(pointer, result) {
        case SSL_ERROR_WANT_READ: return .needsInput
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: throw fail(.record, "a TLS record could not be read")
        }
    }

    /// Encrypts all of these bytes into the output.
    public func write(_ plaintext: Span<UInt8>) throws(TLSError) {
        guard state == .open, !didClose else { throw TLSError(.notOpen, "write outside an open session", faults: []) }
        let count = plaintext.count
        guard count > 0 else { return }
        ERR_clear_error()
        var written = 0
        let result = plaintext.withUnsafeBufferPointer { SSL_write_ex(pointer, $0.baseAddress, $0.count, &written) }
        // Without partial writes and with an output that takes everything, it is all or an error.
        if result != 1 || written != count { throw fail(.record, "a TLS record could not be written") }
    }

    /// Writes close_notify (RFC 8446 §6.1), once; the peer may go on sending. Nothing before the session is open.
    public func close() {
        guard state == .open, !didClose else { return }
        didClose = true
        ERR_clear_error()
        if SSL_shutdown(pointer) < 0 { _ = OpenSSLFault.drain() }
    }
}

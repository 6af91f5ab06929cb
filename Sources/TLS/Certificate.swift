internal import COpenSSL

/// A certificate. Owns one `X509`. Immutable once made, so it may be shared between threads.
public final class Certificate: @unchecked Sendable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { X509_free(pointer) }

    /// Reads the first certificate of a PEM text (RFC 7468 §5).
    public convenience init(pem: String) throws(TLSError) {
        let memory = try MemoryBIO(holding: pem)
        guard let certificate = PEM_read_bio_X509(memory.pointer, nil, nil, nil) else {
            throw TLSError(.malformedInput, "no certificate in the PEM text")
        }
        self.init(owning: certificate)
    }

    /// Reads every certificate of a PEM text, in order; at least one.
    public static func chain(pem: String) throws(TLSError) -> [Certificate] {
        let memory = try MemoryBIO(holding: pem)
        var chain: [Certificate] = []
        while let certificate = PEM_read_bio_X509(memory.pointer, nil, nil, nil) {
            chain.append(Certificate(owning: certificate))
        }
        // The end of the text is reported as an error as well: PEM_R_NO_START_LINE.
        let faults = OpenSSLFault.drain()
        guard !chain.isEmpty, faults.allSatisfy({ $0.reason == Int(PEM_R_NO_START_LINE) }) else {
            throw TLSError(.malformedInput, "the PEM text is no chain of certificates", faults: faults)
        }
        return chain
    }

    /// The certificate in PEM, with a line end.
    public func pem() throws(TLSError) -> String {
        let memory = try MemoryBIO()
        try require(PEM_write_bio_X509(memory.pointer, pointer), "PEM_write_bio_X509")
        return memory.text
    }
}

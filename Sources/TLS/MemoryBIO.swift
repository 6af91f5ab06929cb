internal import COpenSSL

/// A memory buffer of OpenSSL (BIO_s_mem(3)). Owns one `BIO`. Confined to whoever uses it.
final class MemoryBIO {
    let pointer: OpaquePointer

    init() throws(TLSError) {
        pointer = try require(BIO_new(BIO_s_mem()), "BIO_new")
    }

    convenience init(holding text: String) throws(TLSError) {
        try self.init()
        var text = text
        text.withUTF8 { bytes in append(Span(_unsafeElements: bytes)) }
    }

    deinit { BIO_free(pointer) }

    /// How many bytes wait.
    var count: Int { wtp_BIO_ctrl_pending(pointer) }

    /// Adds bytes at the end. A memory BIO takes everything, or the process is out of memory.
    func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeBufferPointer(rebasing: rest.prefix(1 << 20))
                let written = BIO_write(pointer, piece.baseAddress, Int32(piece.count))
                precondition(written > 0, "a memory BIO refuses bytes only when out of memory")
                rest = rest.dropFirst(Int(written))
            }
        }
    }

    /// Lends the bytes that wait; they stay.
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        var start: UnsafeMutablePointer<CChar>?
        let length = wtp_BIO_get_mem_data(pointer, &start)
        guard length > 0, let start else { return body(Span()) }
        return start.withMemoryRebound(to: UInt8.self, capacity: length) {
            body(Span(_unsafeElements: UnsafeBufferPointer(start: $0, count: length)))
        }
    }

    /// Forgets all bytes.
    func removeAll() { _ = wtp_BIO_reset(pointer) }

    /// The bytes as text, for PEM, which is ASCII.
    var text: String { withBytes { $0.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } } }
}

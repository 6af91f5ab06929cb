internal import COpenSSL

/// One entry of OpenSSL's error queue, as a value.
public struct OpenSSLFault: Sendable, Hashable, CustomStringConvertible {
    /// The packed code (ERR_get_error(3)).
    public let code: UInt
    /// The part of the library that reported it (`ERR_LIB_SSL` …).
    public let library: Int
    /// The reason within that part (`SSL_R_…`).
    public let reason: Int
    /// OpenSSL's constant text for the reason.
    public let description: String

    private init(_ code: UInt) {
        self.code = code
        library = Int(wtp_ERR_GET_LIB(code))
        reason = Int(wtp_ERR_GET_REASON(code))
        description = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Takes everything out of the calling thread's queue, oldest first.
    static func drain() -> [OpenSSLFault] {
        var faults: [OpenSSLFault] = []
        while true {
            let code = ERR_get_error()
            if code == 0 { return faults }
            faults.append(OpenSSLFault(code))
        }
    }
}

/// Throws unless an OpenSSL call that gives 1 for success did so.
func require(_ result: some BinaryInteger, _ call: StaticString) throws(TLSError) {
    if result != 1 { throw TLSError(.library, "\(call) failed") }
}

/// Throws if an OpenSSL call that gives an object gave none.
func require<Pointer>(_ pointer: Pointer?, _ call: StaticString) throws(TLSError) -> Pointer {
    guard let pointer else { throw TLSError(.library, "\(call) failed") }
    return pointer
}

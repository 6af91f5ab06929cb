internal import CUV
internal import Glibc

/// What went wrong in a call to the operating system, as a value that can be compared.
///
/// `number` is the positive `errno` (errno(3)), or the negative libuv code where there is no `errno`.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Positive `errno`, or a negative code of libuv's own (`UV_EAI_NONAME` …).
    public let number: Int32
    /// The name of the call that failed, for the person who reads the message.
    public let call: String

    /// An error of `call` with an `errno` value.
    public init(errno number: Int32, in call: String) {
        self.number = number
        self.call = call
    }

    /// What came was not what the protocol on the wire allows (EPROTO).
    init(protocolErrorIn call: String) { self.init(errno: EPROTO, in: call) }

    init(uv code: Int32, in call: String) {
        // libuv's codes are negated errno values on Unix; its own codes (name look-up, end of file) are below -3000.
        self.init(errno: code > -3000 ? -code : code, in: call)
    }

    /// Whether the peer refused the connection (ECONNREFUSED).
    public var isConnectionRefused: Bool { number == ECONNREFUSED }

    /// `bind: address already in use`.
    public var description: String {
        let code = number > 0 ? -number : number
        return "\(call): \(String(cString: uv_strerror(code)))"
    }
}

/// Throws the libuv result `code` if it is negative, with the name of the call that gave it.
@discardableResult
func check(_ code: Int32, _ call: String) throws(SystemError) -> Int32 {
    if code < 0 { throw SystemError(uv: code, in: call) }
    return code
}

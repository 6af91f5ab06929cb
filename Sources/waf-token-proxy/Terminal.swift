internal import Glibc
internal import Telemetry

/// Plain output for people and scripts, before and beside the log.
enum Terminal {
    /// Writes all of `text`, if that can be done; `outputFault` knows.
    static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if descriptor == STDOUT_FILENO { lost.withLock { $0 = errno } }
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Why some of standard output was lost, as after a full disk; nil also where the reader went away, as `head` does.
    static var outputFault: String? {
        let code = lost.withLock { $0 }
        return code == 0 || code == EPIPE ? nil : String(cString: strerror(code))
    }

    /// The last errno of standard output.
    private static let lost = Lock<Int32>(0)

    /// A line on standard output.
    static func say(_ line: String = "") { write(line + "\n", to: STDOUT_FILENO) }

    /// A line on standard error that begins with the program's name.
    static func complain(_ line: String) { write("waf-token-proxy: \(line)\n", to: STDERR_FILENO) }
}

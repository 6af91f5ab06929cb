internal import Glibc

/// Plain output for people and scripts, before and beside the log.
enum Terminal {
    /// Writes all of `text`; a closed output is no reason to fail.
    static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// A line on standard output.
    static func say(_ line: String = "") { write(line + "\n", to: STDOUT_FILENO) }

    /// A line on standard error that begins with the program's name.
    static func complain(_ line: String) { write("waf-token-proxy: \(line)\n", to: STDERR_FILENO) }
}

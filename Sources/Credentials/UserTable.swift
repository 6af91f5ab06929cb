internal import Telemetry

/// Names and hashes of those who may use the proxy: what a file of lines `name:hash` says, as htpasswd(1) writes them.
public struct UserTable: Sendable, Equatable {
    private let hashes: [[UInt8]: PasswordHash]

    /// What is wrong with a line. Never shows a hash.
    public struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
        /// Counted from 1; 0 for the file as a whole.
        public let line: Int
        /// A sentence part for a person.
        public let description: String
    }

    /// Reads a file's content. Empty lines and lines that begin with `#` say nothing.
    public init(_ content: [UInt8]) throws(Fault) {
        var hashes: [[UInt8]: PasswordHash] = [:]
        for (index, line) in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw Fault(line: index + 1, description: "must be NAME:HASH")
            }
            guard let hash = PasswordHash(String(decoding: parts[1], as: UTF8.self)) else {
                throw Fault(line: index + 1, description: "needs \(PasswordHash.allowed)")
            }
            guard hashes.updateValue(hash, forKey: Array(parts[0])) == nil else {
                throw Fault(line: index + 1, description: "\(Escaper.escape(parts[0])) stands there twice")
            }
        }
        guard !hashes.isEmpty else { throw Fault(line: 0, description: "names nobody") }
        self.hashes = hashes
    }

    /// How many there are.
    public var count: Int { hashes.count }

    /// Whether somebody of this name has this password. Slow by intention (see crypt(5)), and as slow for a name that
    /// nobody has. Any thread.
    public func admits(_ credentials: BasicCredentials) -> Bool {
        let password = credentials.password.reveal()
        if let hash = hashes[credentials.name] { return hash.matches(password) }
        _ = hashes.values.first?.matches(password)
        return false
    }
}

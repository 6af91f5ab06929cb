internal import Telemetry

/// Handshakes of clients that failed, by what was the trouble. Any thread.
public final class ClientTLSMetrics: Sendable {
    /// What clients run into: a fixed set.
    public enum Trouble: Int, Sendable, CaseIterable {
        /// The client does not trust the authority (alerts `unknown_ca`, `bad_certificate` and their like).
        case untrusted
        /// The client closed the connection in the middle of the handshake: mostly a pinned certificate.
        case closed
        /// No common version or cipher suite.
        case version
        /// The handshake took too long.
        case timeout
        /// What came was not TLS, or broke its rules.
        case malformed

        public var label: String {
            switch self {
            case .untrusted: "untrusted"
            case .closed: "closed"
            case .version: "version"
            case .timeout: "timeout"
            case .malformed: "malformed"
            }
        }
    }

    private let troubles: ShardedCounters

    init(shards: Int) {
        troubles = ShardedCounters(count: Trouble.allCases.count, shards: shards)
    }

    /// Counts one; `shard` is the loop's number.
    public func count(_ trouble: Trouble, shard: Int = 0) { troubles.add(at: trouble.rawValue, shard: shard) }

    /// How many there were.
    public func value(_ trouble: Trouble) -> UInt64 { troubles.value(at: trouble.rawValue) }
}

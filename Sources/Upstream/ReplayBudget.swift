internal import Telemetry

/// How many bytes all kept request bodies of the process may take together. Any thread.
public final class ReplayBudget: Sendable {
    /// Bytes in all.
    public let limit: Int
    private let used = Lock(0)

    /// A budget of `limit` bytes; 0 keeps nothing.
    public init(limit: Int) { self.limit = limit }

    /// Bytes that are reserved now.
    public var usedBytes: Int { used.withLock { $0 } }

    /// Reserves `count` bytes if they are there.
    func reserve(_ count: Int) -> Bool {
        used.withLock { used in
            guard count <= limit - used else { return false }
            used += count
            return true
        }
    }

    func release(_ count: Int) {
        guard count > 0 else { return }
        used.withLock { used in
            precondition(used >= count, "more of the replay budget released than reserved")
            used -= count
        }
    }
}

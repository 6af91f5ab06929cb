/// The last requests that ended, a fixed number of them. Any thread.
///
/// Taking a request in is an exchange of buffers under a lock: once the ring is full nothing is allocated, copied or
/// formatted. Readers copy what they want to see and format it on their own time.
public final class FlowRing: Sendable {
    private struct State {
        var entries: [FlowEntry] = []
        /// Where the next one goes once the ring is full.
        var next = 0
        var lastID: UInt64 = 0
    }

    /// How many are kept.
    public let capacity: Int
    /// How much of each body is kept; 0: none.
    public let bodyBytes: Int
    private let state = Lock(State())

    /// A ring of `capacity` requests; 0 keeps nothing.
    public init(capacity: Int, bodyBytes: Int = 0) {
        self.capacity = capacity
        self.bodyBytes = bodyBytes
    }

    /// Takes `entry` in and gives its owner the buffers of the one that it displaces, to be reset before use.
    public func exchange(_ entry: inout FlowEntry) {
        guard capacity > 0 else { return }
        state.withLock { state in
            state.lastID += 1
            entry.id = state.lastID
            if state.entries.count < capacity {
                var taken = FlowEntry()
                swap(&taken, &entry)
                state.entries.append(taken)
            } else {
                swap(&state.entries[state.next], &entry)
                state.next = (state.next + 1) % capacity
            }
        }
    }

    /// What a reader asked for, oldest first.
    public struct Selection: Sendable {
        public let entries: [FlowEntry]
        /// Where to go on: everything up to this number was looked at.
        public let last: UInt64
    }

    /// The entries that `filter` lets through: the newest ones, or the first after `filter.since`.
    public func select(_ filter: FlowFilter) -> Selection {
        let (entries, lastID) = state.withLock { state in
            let kept = state.entries
            let fresh = filter.since.map { Int(clamping: state.lastID > $0 ? state.lastID - $0 : 0) } ?? kept.count
            let count = min(fresh, kept.count)
            let first = state.next + kept.count - count
            return ((0..<count).map { kept[(first + $0) % kept.count] }, state.lastID)
        }
        let found = entries.filter(filter.lets)
        guard found.count > filter.limit else { return Selection(entries: found, last: lastID) }
        guard filter.since != nil else { return Selection(entries: found.suffix(filter.limit), last: lastID) }
        let page = Array(found.prefix(filter.limit))
        return Selection(entries: page, last: page.last?.id ?? lastID)
    }
}

/// What happens at certain requests, counted from 1 since the schedule was set.
struct Schedule: Sendable, Equatable {
    /// One line of the schedule.
    struct Entry: Sendable, Equatable {
        var action: RuleAction
        /// Every n-th request; nil: all in the range.
        var every: Int?
        /// The first request it holds for.
        var from = 1
        /// The last one; nil: no end.
        var to: Int?
        /// Whether even a good token counts as expired.
        var isForced: Bool

        func covers(_ number: Int) -> Bool {
            guard number >= from, number <= to ?? .max else { return false }
            guard let every else { return true }
            return number % every == 0
        }
    }

    /// The first entry that covers a request holds.
    var entries: [Entry] = []
    /// Requests since the schedule was set.
    private(set) var count = 0

    init(_ entries: [Entry] = []) { self.entries = entries }

    /// Counts one request; gives what is planned for it.
    mutating func next() -> Entry? {
        count += 1
        return entries.first { $0.covers(count) }
    }
}

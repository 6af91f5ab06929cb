/// At most so many fetches within any 60 seconds, retries included; beyond that the breaker is open until the oldest is
/// 60 seconds old.
struct FetchBudget: Sendable {
    static let window: Duration = .seconds(60)

    enum Verdict: Equatable {
        case granted
        /// Not before then; `trips` when the breaker was closed until now.
        case refused(until: Duration, trips: Bool)
    }

    /// 0: no cap.
    let limit: Int
    /// How often the breaker opened.
    private(set) var trips: UInt64 = 0
    private var starts: [Duration] = []
    private var head = 0
    private var isOpen = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Asks for one fetch at `time`.
    mutating func take(at time: Duration) -> Verdict {
        guard limit > 0 else { return .granted }
        while head < starts.count, time - starts[head] >= Self.window { head += 1 }
        if head > 64, head * 2 > starts.count {
            starts.removeFirst(head)
            head = 0
        }
        guard starts.count - head >= limit else {
            starts.append(time)
            isOpen = false
            return .granted
        }
        let trips = !isOpen
        if trips {
            isOpen = true
            self.trips += 1
        }
        return .refused(until: starts[head] + Self.window, trips: trips)
    }
}

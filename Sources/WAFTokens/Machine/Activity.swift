/// Whether anybody needs the token: a request was seen within the refresh delay, or the operator says so.
struct Activity: Sendable {
    let window: Duration
    let keepsWarm: Bool
    /// Marked active by hand.
    var isMarked = false
    /// When the last request was seen; nil: never.
    private(set) var lastSeen: Duration?

    init(window: Duration, keepsWarm: Bool) {
        self.window = window
        self.keepsWarm = keepsWarm
    }

    /// Whether requests do not matter.
    var isAlways: Bool { keepsWarm || isMarked }

    func isActive(at time: Duration) -> Bool {
        if isAlways { return true }
        guard let lastSeen else { return false }
        return time - lastSeen <= window
    }

    mutating func saw(at time: Duration) {
        lastSeen = max(lastSeen ?? time, time)
    }

    /// Nothing counts that was seen so far.
    mutating func forget() {
        lastSeen = nil
    }

    mutating func age(by missed: Duration) {
        lastSeen = lastSeen.map { $0 - missed }
    }
}

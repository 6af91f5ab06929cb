public import HTTP

/// The bounded copy of one request's body, kept so that the request can be sent a second time.
///
/// Over either bound it lets go of what it holds and stays useless: the request itself streams on. Confined to the
/// task that fills it; the budget is shared.
public final class ReplayBuffer {
    /// What the copy is good for.
    public enum State: Sendable, Hashable {
        /// Bytes may still come.
        case filling
        /// All of the body is here.
        case complete
        /// The body is longer than one copy may be, or than the budget had left.
        case tooLarge
    }

    public private(set) var state: State = .filling
    /// The trailers that came with a chunked body.
    public private(set) var trailers: Fields?
    private let limit: Int
    private let budget: ReplayBudget
    private var bytes: [UInt8] = []
    private var reserved = 0
    /// Reserving in steps keeps the shared lock out of the way of small chunks.
    private static let step = 16 * 1024

    /// An empty copy of at most `limit` bytes.
    public init(limit: Int, budget: ReplayBudget) {
        self.limit = limit
        self.budget = budget
    }

    deinit { budget.release(reserved) }

    /// How many bytes are held.
    public var count: Int { bytes.count }

    /// The bytes that are held, from the first one on.
    public var span: Span<UInt8> {
        @_lifetime(borrow self)
        get { _overrideLifetime(bytes.span, borrowing: self) }
    }

    /// Adds what was just read from the client.
    public func append(_ chunk: Span<UInt8>) {
        guard state == .filling, chunk.count > 0 else { return }
        let needed = bytes.count + chunk.count
        guard needed <= limit, reserve(needed) else { return giveUp() }
        chunk.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    /// The body has ended.
    public func finish(trailers: Fields? = nil) {
        guard state == .filling else { return }
        self.trailers = trailers
        state = .complete
    }

    /// Lets go of the copy: the answer needs no replay.
    public func giveUp() {
        state = .tooLarge
        bytes = []
        trailers = nil
        budget.release(reserved)
        reserved = 0
    }

    private func reserve(_ needed: Int) -> Bool {
        guard needed > reserved else { return true }
        let wanted = min(max(needed, reserved + Self.step, reserved * 2), max(limit, needed))
        if budget.reserve(wanted - reserved) {
            reserved = wanted
        } else if budget.reserve(needed - reserved) {
            reserved = needed
        } else {
            return false
        }
        return true
    }
}

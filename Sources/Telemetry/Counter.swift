import Synchronization

/// A number that only rises, such as requests served. Safe on any thread, never waits.
public final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    /// Starts at zero.
    public init() {}

    /// Adds `amount`.
    public func add(_ amount: Int = 1) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    /// The number now.
    public var value: Int {
        count.load(ordering: .relaxed)
    }
}

import Foundation

/// What a test waited for did not come.
struct TimedOut: Error, CustomStringConvertible {
    let description: String
}

/// Asks `condition` again and again until it gives a value; the end-to-end tests watch other processes, which cannot
/// be handed a clock.
func eventually<Value>(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60),
    _ condition: () async throws -> Value?
) async throws -> Value {
    let end = ContinuousClock.now + limit
    while true {
        if let value = try await condition() { return value }
        guard ContinuousClock.now < end else { throw TimedOut(description: "after \(limit): \(what())") }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Runs blocking calls on a thread of their own, so that they hold up no other test.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}

internal import EventLoop
internal import Glibc

/// Waits for SIGTERM or SIGINT; the second one ends the process at once.
final class StopSignal: @unchecked Sendable {
    // Sendable because everything after `init` happens on its own loop.
    private let loop: EventLoop
    private var watchers: [SignalWatcher] = []
    private var waiter: CheckedContinuation<Int32, Never>?
    private var first: Int32?

    init() throws(SystemError) {
        loop = try EventLoop(name: "signals")
        loop.start()
    }

    /// Takes the signals from now on; 128 + the number is the status of a process that a second one ends.
    func take() async throws(SystemError) {
        let result: Result<Void, SystemError> = await loop.run { [self] in
            do throws(SystemError) {
                for signal in [SIGTERM, SIGINT] {
                    watchers.append(try SignalWatcher(loop: loop, signal: signal) { [unowned self] in came(signal) })
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func came(_ signal: Int32) {
        if first != nil { _exit(128 + signal) }
        first = signal
        waiter?.resume(returning: signal)
        waiter = nil
    }

    /// Returns when the first signal has come.
    func wait() async -> Int32 {
        await loop.run { [self] in
            if let first { return first }
            return await withCheckedContinuation { waiter = $0 }
        }
    }
}

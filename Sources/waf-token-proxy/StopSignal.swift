internal import EventLoop
internal import Glibc

/// Waits for SIGTERM or SIGINT; the second one ends the process at once. SIGHUP is something else's signal.
final class StopSignal: @unchecked Sendable {
    // Sendable because everything after `init` happens on its own loop.
    private let loop: EventLoop
    private var watchers: [SignalWatcher] = []
    private var waiter: CheckedContinuation<Int32, Never>?
    private var first: Int32?
    private var reaping: LoopTimer?
    private var onHangup: (@Sendable () -> Void)?
    private var hasHungUp = false

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

    /// Takes SIGHUP as well, from now on; one that comes before `hangUp` has said what to do is remembered.
    func takeHangup() async throws(SystemError) {
        let result: Result<Void, SystemError> = await loop.run { [self] in
            do throws(SystemError) {
                watchers.append(
                    try SignalWatcher(loop: loop, signal: SIGHUP) { [unowned self] in
                        hasHungUp = true
                        callHangup()
                    })
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// As process number 1: waits for what others leave behind, from now on.
    func reapOrphans() async throws(SystemError) {
        let result: Result<Void, SystemError> = await loop.run { [self] in
            do throws(SystemError) {
                let again = LoopTimer(loop: loop) { [unowned self] in reap() }
                watchers.append(try SignalWatcher(loop: loop, signal: SIGCHLD) { [unowned self] in reap() })
                reaping = again
                reap()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func reap() {
        if !ChildReaper.reap() { reaping?.start(after: .milliseconds(50)) }
    }

    /// Calls `body` for each SIGHUP, on the signals' own loop.
    func hangUp(_ body: @escaping @Sendable () -> Void) async {
        await loop.run { [self] in
            onHangup = body
            callHangup()
        }
    }

    private func callHangup() {
        guard hasHungUp, let onHangup else { return }
        hasHungUp = false
        onHangup()
    }

    private func came(_ signal: Int32) {
        if first != nil { _exit(128 + signal) }
        first = signal
        waiter?.resume(returning: signal)
        waiter = nil
    }

    /// As if a first signal had come, its number 0; no second one. Any thread.
    func ask() {
        loop.execute { [self] in
            if first == nil { came(0) }
        }
    }

    /// Returns when the first signal has come.
    func wait() async -> Int32 {
        await loop.run { [self] in
            if let first { return first }
            return await withCheckedContinuation { waiter = $0 }
        }
    }
}

internal import EventLoop

/// Waits that end when their time has come, or when the emulator stops. Confined to its loop.
final class Pauses {
    private let loop: EventLoop
    private var waits: [Int: Wait] = [:]
    private var next = 0
    private var isOver = false

    private struct Wait {
        let timer: LoopTimer
        let continuation: UnsafeContinuation<Void, Never>
    }

    init(loop: EventLoop) { self.loop = loop }

    /// Suspends for at least this long.
    func pause(for duration: Duration) async {
        guard !isOver, duration > .zero else { return }
        let key = next
        next += 1
        await withUnsafeContinuation { continuation in
            let timer = LoopTimer(loop: loop) { [unowned self] in end(key) }
            waits[key] = Wait(timer: timer, continuation: continuation)
            timer.start(after: duration)
        }
    }

    private func end(_ key: Int) {
        guard let wait = waits.removeValue(forKey: key) else { return }
        wait.timer.close()
        wait.continuation.resume()
    }

    /// Ends all waits, and every later one at once.
    func endAll() {
        isOver = true
        for key in Array(waits.keys) { end(key) }
    }
}

/// Something that tasks of one loop wait to happen again and again. Confined to its loop.
final class Signal {
    private var waiters: [UnsafeContinuation<Void, Never>] = []

    /// Waits for the next `fire`.
    func wait() async { await withUnsafeContinuation { waiters.append($0) } }

    /// Resumes everybody who waits now.
    func fire() {
        let resumed = waiters
        waiters = []
        for waiter in resumed { waiter.resume() }
    }
}

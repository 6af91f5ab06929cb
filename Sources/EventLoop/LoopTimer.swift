internal import CUV

/// A one-shot timer that can be armed again. Confined to its loop.
///
/// Milliseconds' resolution (uv_timer_start). Must be closed: it keeps its loop's handle until then.
public final class LoopTimer: HandleOwner {
    private var handler: (() -> Void)?
    private var onClose: (() -> Void)?

    /// Calls `handler` on the loop each time the timer fires, and `onClose` when it can fire no more: it was closed, or
    /// the loop ends.
    public init(loop: EventLoop, onClose: (() -> Void)? = nil, _ handler: @escaping () -> Void) {
        self.handler = handler
        self.onClose = onClose
        do {
            try super.init(loop: loop, uv_timer_t.self, "uv_timer_init") { uv_timer_init($0, $1) }
        } catch {
            preconditionFailure("uv_timer_init fails for no loop: \(error)")
        }
    }

    /// Arms the timer, or arms it anew. Fires once, not before `delay` has passed.
    public func start(after delay: Duration) {
        guard !isClosed else { return }
        // The cached time may be old by the length of this turn: ask for it afresh, so that no wait is shortened.
        uv_update_time(loop.uv)
        uv_timer_start(
            typed(), { timer in HandleOwner.owner(LoopTimer.self, of: timer).handler?() },
            delay.wholeMilliseconds, 0)
    }

    /// Disarms the timer.
    public func stop() {
        guard !isClosed else { return }
        uv_timer_stop(typed())
    }

    override func didClose() {
        handler = nil
        let tell = onClose
        onClose = nil
        tell?()
    }
}

extension Duration {
    /// Rounded up, never negative.
    var wholeMilliseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(seconds) * 1000 + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

extension EventLoop {
    /// Suspends the calling task, which must run on this loop, for at least `duration`. Returns early when cancelled,
    /// and when the loop ends.
    public func sleep(for duration: Duration) async {
        let sleeper = Sleeper(loop: self)
        await withTaskCancellationHandler {
            await sleeper.run(duration)
        } onCancel: {
            execute { sleeper.finish() }
        }
    }
}

/// One sleep. Touched only on the loop; `Sendable` so that a cancellation from elsewhere can name it.
private final class Sleeper: @unchecked Sendable {
    private let loop: EventLoop
    private var timer: LoopTimer?
    private var waiter: UnsafeContinuation<Void, Never>?
    private var isFinished = false

    init(loop: EventLoop) { self.loop = loop }

    func run(_ duration: Duration) async {
        loop.checkIsolated()
        await withUnsafeContinuation { continuation in
            if isFinished { return continuation.resume() }
            waiter = continuation
            let timer = LoopTimer(loop: loop, onClose: { [self] in finish() }, { [unowned self] in finish() })
            timer.start(after: duration)
            self.timer = timer
        }
    }

    func finish() {
        isFinished = true
        let (timer, waiter) = (self.timer, self.waiter)
        (self.timer, self.waiter) = (nil, nil)
        timer?.close()  // calls this again
        waiter?.resume()
    }
}

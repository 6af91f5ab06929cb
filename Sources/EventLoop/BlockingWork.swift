internal import CUV

/// Runs what takes long, and computes or blocks, on libuv's thread pool (uv_queue_work), which look-ups use as well: a few
/// at a time at most.
public enum BlockingWork {
    /// The result of `body`, which runs on another thread. Must be called on the loop.
    public static func run<Result: Sendable>(
        on loop: EventLoop, _ body: @escaping @Sendable () -> Result
    ) async -> Result {
        loop.checkIsolated()
        let work = Work(body)
        await withUnsafeContinuation { work.start(loop, $0) }
        guard let result = work.result else { preconditionFailure("work that has ended left no result") }
        return result
    }
}

/// One piece of work; keeps itself alive until libuv's last callback.
private class AnyWork {
    private let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
    private var waiter: UnsafeContinuation<Void, Never>?

    deinit { request.deallocate() }

    /// On another thread.
    func perform() {}

    func start(_ loop: EventLoop, _ waiter: UnsafeContinuation<Void, Never>) {
        self.waiter = waiter
        request.pointee.data = Unmanaged.passRetained(self).toOpaque()
        let code = uv_queue_work(
            loop.uv, request,
            { Unmanaged<AnyWork>.fromOpaque($0!.pointee.data).takeUnretainedValue().perform() },
            { request, _ in Unmanaged<AnyWork>.fromOpaque(request!.pointee.data).takeRetainedValue().finish() })
        precondition(code == 0, "uv_queue_work refuses only what has no work")
    }

    private func finish() {
        waiter?.resume()
        waiter = nil
    }
}

private final class Work<Result: Sendable>: AnyWork {
    private let body: () -> Result
    private(set) var result: Result?

    init(_ body: @escaping () -> Result) {
        self.body = body
    }

    override func perform() { result = body() }
}

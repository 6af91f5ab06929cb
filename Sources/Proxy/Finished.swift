/// An end that tasks of one loop wait for, those that come late as well. Confined to that loop.
final class Finished: @unchecked Sendable {
    private var isFinished = false
    private var waiters: [UnsafeContinuation<Void, Never>] = []

    func finish() {
        isFinished = true
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }

    func wait() async {
        if isFinished { return }
        await withUnsafeContinuation { waiters.append($0) }
    }
}

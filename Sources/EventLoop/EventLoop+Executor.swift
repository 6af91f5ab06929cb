extension EventLoop: TaskExecutor {
    public func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    /// Traps unless the caller runs on this loop.
    public func checkIsolated() {
        precondition(isCurrent, "this code is confined to event loop \(name)")
    }

    /// The executor for an actor that is to live on this loop (`unownedExecutor`).
    public var serialExecutor: any SerialExecutor { pinning }
}

/// Pins actors to a loop. An object of its own, so that the loop knows an actor's jobs from those of plain tasks.
final class PinnedExecutor: SerialExecutor {
    private unowned let loop: EventLoop

    init(loop: EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) { loop.add(.actorJob(UnownedJob(job))) }
    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    func checkIsolated() { loop.checkIsolated() }
    func isIsolatingCurrentContext() -> Bool? { loop.isCurrent }
}

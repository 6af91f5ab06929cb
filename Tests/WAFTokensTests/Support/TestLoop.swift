import Telemetry

/// An executor whose jobs run only when the test says so, on the test's own thread.
final class TestLoop: TaskExecutor {
    private let jobs = Lock<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs until nothing is left to run.
    func run() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Starts a task; `run` moves it on.
    @discardableResult
    func spawn<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Pending<Value> {
        let pending = Pending<Value>()
        pending.task = Task.detached(executorPreference: self) {
            let value = await body()
            pending.value = value
        }
        return pending
    }
}

/// What a spawned task gave, once it has. Used on the test's thread only.
final class Pending<Value: Sendable>: @unchecked Sendable {
    var value: Value?
    var task: Task<Void, Never>?

    func cancel() { task?.cancel() }
}

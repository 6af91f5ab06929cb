/// Work for one loop, in order: Swift jobs and plain closures. Knows nothing of threads; its owner guards it.
struct JobQueue {
    enum Work {
        /// Of a task that prefers this loop.
        case job(UnownedJob)
        /// Of an actor that is pinned to this loop.
        case actorJob(UnownedJob)
        case closure(() -> Void)
    }

    private(set) var waiting: [Work] = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func append(_ work: Work) {
        waiting.append(work)
    }

    /// Hands out all that waits by exchanging it with `batch`, an emptied array whose memory is used again.
    mutating func take(into batch: inout [Work]) {
        swap(&waiting, &batch)
    }
}

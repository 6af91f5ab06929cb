/// Lets one reload run after the other, in the order in which they were asked for.
actor ReloadQueue {
    private var last: Task<ReloadOutcome, Never>?

    func run(_ body: @escaping @Sendable () async -> ReloadOutcome) async -> ReloadOutcome {
        let before = last
        let task = Task {
            _ = await before?.value
            return await body()
        }
        last = task
        return await task.value
    }
}

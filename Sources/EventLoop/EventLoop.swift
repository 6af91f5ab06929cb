internal import CUV
internal import Glibc
internal import Synchronization
internal import Telemetry

/// A thread with a libuv loop that is a Swift executor: connection code runs on it as plain `async` functions.
///
/// Owns the thread, the `uv_loop_t` and the queue of Swift jobs. It does not know what runs on it.
/// `execute`, `spawn`, `enqueue` and `stop` may be called from any thread; everything else of this module is confined
/// to the loop's thread. Jobs that were enqueued by a callback run after all callbacks of that turn, never inside one.
public final class EventLoop: @unchecked Sendable {
    /// The name that the thread carries (pthread_setname_np(3): at most 15 bytes are kept).
    public let name: String

    let uv: UnsafeMutablePointer<uv_loop_t>
    /// Where every stream of this loop receives first; libuv reads into it and the callback copies out at once.
    let scratch: UnsafeMutablePointer<CChar>
    static let scratchSize = 256 * 1024

    private let wake: UnsafeMutablePointer<uv_async_t>
    private let beforePoll: UnsafeMutablePointer<uv_prepare_t>
    private let afterPoll: UnsafeMutablePointer<uv_check_t>
    private let spinner: UnsafeMutablePointer<uv_idle_t>

    private struct Shared {
        var inbox = JobQueue()
        var isWoken = false
        var isStopped = false
        var thread: pthread_t?
    }
    private let shared = Lock(Shared())
    /// Written by the loop's own thread before any job runs; compared only for equality with one's own.
    private let threadID = Atomic<UInt>(0)

    /// Set by `init`; lives as long as the loop.
    private(set) nonisolated(unsafe) var pinning: PinnedExecutor!
    private var local = JobQueue()
    private var batch: [JobQueue.Work] = []
    private var isStopping = false

    /// Makes the loop; nothing runs before `start`.
    public init(name: String) throws(SystemError) {
        self.name = name
        let uv = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
        do throws(SystemError) { try check(uv_loop_init(uv), "uv_loop_init") } catch {
            uv.deallocate()
            throw error
        }
        self.uv = uv  // stands: what `deinit` closes must not be less
        scratch = .allocate(capacity: Self.scratchSize)
        wake = .allocate(capacity: 1)
        beforePoll = .allocate(capacity: 1)
        afterPoll = .allocate(capacity: 1)
        spinner = .allocate(capacity: 1)
        pinning = PinnedExecutor(loop: self)
        let me = Unmanaged.passUnretained(self).toOpaque()
        uv.pointee.data = me
        try check(uv_async_init(uv, wake) { EventLoop.from($0!.pointee.loop).takeInbox() }, "uv_async_init")
        uv_prepare_init(uv, beforePoll)
        uv_check_init(uv, afterPoll)
        uv_idle_init(uv, spinner)
        // `data` names a handle's owner; the loop's own handles have none.
        wake.pointee.data = nil
        beforePoll.pointee.data = nil
        afterPoll.pointee.data = nil
        spinner.pointee.data = nil
        uv_prepare_start(beforePoll) { EventLoop.from($0!.pointee.loop).runJobs() }
        uv_check_start(afterPoll) { EventLoop.from($0!.pointee.loop).runJobs() }
    }

    deinit {
        uv_loop_close(uv)
        uv.deallocate()
        scratch.deallocate()
        wake.deallocate()
        beforePoll.deallocate()
        afterPoll.deallocate()
        spinner.deallocate()
    }

    static func from(_ uv: UnsafeMutablePointer<uv_loop_t>!) -> EventLoop {
        Unmanaged<EventLoop>.fromOpaque(uv.pointee.data).takeUnretainedValue()
    }

    // MARK: Life

    /// Starts the thread. Call once.
    public func start() {
        let me = Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, { EventLoop.main($0!) }, me)
        precondition(code == 0, "pthread_create failed with \(code): no thread for an event loop")
        shared.withLock { $0.thread = thread }
    }

    private static func main(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        let loop = Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue()
        loop.threadID.store(pthread_self(), ordering: .relaxed)
        CurrentLoop.set(loop)
        _ = pthread_setname_np(pthread_self(), String(loop.name.prefix(15)))
        uv_run(loop.uv, UV_RUN_DEFAULT)
        // What libuv still works on in another thread must find its loop.
        if !loop.closeEverything() { _ = Unmanaged.passRetained(loop) }
        CurrentLoop.set(nil)
        return nil
    }

    /// Ends the loop after the work that is queued now: every handle is closed, then the thread ends.
    /// Waits for that, unless called on the loop itself. Work that comes later never runs. A name look-up that the
    /// system does not end is left behind.
    public func stop() {
        execute { [unowned self] in
            isStopping = true
            uv_stop(uv)
        }
        guard !isCurrent else { return }
        let thread = shared.withLock { state in
            defer { state.thread = nil }
            return state.thread
        }
        if let thread { pthread_join(thread, nil) }
    }

    private static let closingLimit = Duration.seconds(2)

    /// Closing resumes waiters, whose jobs may open and close more: both go on until nothing is left. False: something
    /// was left when the time was up.
    private func closeEverything() -> Bool {
        let deadline = Self.preciseNow + Self.closingLimit
        while Self.preciseNow < deadline {
            uv_walk(
                uv,
                { handle, _ in
                    guard uv_is_closing(handle) == 0 else { return }
                    HandleOwner.closeFromLoop(handle!)
                }, nil)
            uv_run(uv, UV_RUN_NOWAIT)
            takeInbox()
            runJobs()
            if uv_loop_alive(uv) == 0, local.isEmpty, refuseWork() { return true }
            if local.isEmpty { usleep(200) }  // only libuv's own threads are still at work
        }
        shared.withLock { $0.isStopped = true }
        return false
    }

    /// Takes no more work, unless some has come meanwhile.
    private func refuseWork() -> Bool {
        shared.withLock { state in
            state.isStopped = state.inbox.isEmpty
            return state.isStopped
        }
    }

    // MARK: Who runs where

    /// The loop whose thread this is, if it is one.
    public static var current: EventLoop? { CurrentLoop.get() }

    /// Whether the caller runs on this loop's thread.
    public var isCurrent: Bool { pthread_self() == threadID.load(ordering: .relaxed) }

    /// Runs `body` on the loop, in the order of the calls, never inside the caller. From any thread.
    public func execute(_ body: @escaping @Sendable () -> Void) {
        add(.closure(body))
    }

    /// Starts a task whose code runs on this loop, up to its end. From any thread.
    public func spawn(_ body: sending @escaping () async -> Void) {
        nonisolated(unsafe) let body = body  // it is handed over whole: only the loop's thread touches it from here on
        Task(executorPreference: self) { await body() }
    }

    /// Runs `body` on the loop and gives back its result. From any thread.
    public func run<Result: Sendable>(_ body: sending @escaping () async -> Result) async -> Result {
        nonisolated(unsafe) let body = body  // handed over whole, as in `spawn`
        return await withUnsafeContinuation { continuation in
            spawn { continuation.resume(returning: await body()) }
        }
    }

    /// Monotonic time at the start of this turn of the loop, in milliseconds' resolution.
    public var now: Duration { .milliseconds(Int64(bitPattern: uv_now(uv))) }

    /// Monotonic time now, to the nanosecond. From any thread.
    public static var preciseNow: Duration { .nanoseconds(Int64(bitPattern: uv_hrtime())) }

    // MARK: Jobs

    func add(_ work: JobQueue.Work) {
        if isCurrent {
            local.append(work)
            return
        }
        nonisolated(unsafe) let work = work  // handed over: run once, by the loop's thread
        let mustWake = shared.withLock { state in
            if state.isStopped { return false }
            state.inbox.append(work)
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if mustWake { uv_async_send(wake) }
    }

    private func takeInbox() {
        var taken: [JobQueue.Work] = []
        shared.withLock { state in
            state.isWoken = false
            state.inbox.take(into: &taken)
        }
        for work in taken { local.append(work) }
    }

    /// Runs what waits, and what that adds, but looks at sockets and timers again after a bounded number of rounds.
    private func runJobs() {
        var rounds = 0
        while !local.isEmpty, rounds < 16 {
            rounds += 1
            local.take(into: &batch)
            for work in batch {
                switch work {
                case .job(let job):
                    // Not as isolated to a serial executor: an `await` in the task would then leave that executor and
                    // come back through the queue, between the check and the wait of code that must not be interrupted.
                    job.runSynchronously(on: asUnownedTaskExecutor())
                case .actorJob(let job):
                    job.runSynchronously(
                        isolatedTo: serialExecutor.asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
                case .closure(let body): body()
                }
            }
            batch.removeAll(keepingCapacity: true)
        }
        if local.isEmpty {
            uv_idle_stop(spinner)
        } else {
            uv_idle_start(spinner) { _ in }  // the poll must not sleep while jobs wait
        }
    }
}

import Glibc

/// A mutex with its condition variable, on the monotonic clock (pthread_cond_timedwait(3)).
///
/// Every `wait` belongs inside `lock` and `unlock`, in a loop that looks at the state again. `Sendable` because it holds
/// nothing but what pthreads lets every thread use; both stay where they are until `deinit`.
final class WaitCondition: @unchecked Sendable {
    private let mutex = MutexStorage()
    private let variable: UnsafeMutablePointer<pthread_cond_t>

    init() {
        variable = .allocate(capacity: 1)
        variable.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(variable, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(variable)
        variable.deallocate()
        mutex.destroy()
    }

    func lock() { mutex.lock() }
    func unlock() { mutex.unlock() }
    func wait() { pthread_cond_wait(variable, mutex.pointer) }
    func broadcast() { pthread_cond_broadcast(variable) }

    /// False when the deadline passed first.
    func wait(until deadline: timespec) -> Bool {
        var deadline = deadline
        return pthread_cond_timedwait(variable, mutex.pointer, &deadline) != ETIMEDOUT
    }

    static func deadline(afterMsec milliseconds: Int) -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        time.tv_sec += milliseconds / 1000
        time.tv_nsec += milliseconds % 1000 * 1_000_000
        if time.tv_nsec >= 1_000_000_000 {
            time.tv_sec += 1
            time.tv_nsec -= 1_000_000_000
        }
        return time
    }
}

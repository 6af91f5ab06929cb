import Glibc

/// A value that one thread at a time may touch, behind a `pthread_mutex_t`.
///
/// Owns the mutex and the value. Not recursive, not fair. `Synchronization.Mutex` does the same, but makes
/// ThreadSanitizer report false races on this toolchain; a pthread lock is understood by it.
///
/// Hold it for a decision, never for an action: no call-out, no await, no other lock inside `withLock`.
public final class Lock<Value>: @unchecked Sendable {
    @usableFromInline var value: Value
    @usableFromInline let mutex: MutexStorage

    /// Takes over `value`; nobody else may keep a way to it.
    public init(_ value: sending Value) {
        self.value = value
        self.mutex = MutexStorage()
    }

    deinit {
        mutex.destroy()
    }

    /// Runs `body` alone with the value; what it throws comes out of here, after unlocking.
    @inlinable
    public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        mutex.lock()
        defer { mutex.unlock() }
        return try body(&value)
    }
}

/// The heap place of one mutex: its address must not change (pthread_mutex_init(3)).
@usableFromInline
struct MutexStorage {
    let pointer: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: pthread_mutex_t())
        let status = pthread_mutex_init(pointer, nil)
        precondition(status == 0, "pthread_mutex_init fails only when out of memory")
    }

    @usableFromInline
    func lock() {
        let status = pthread_mutex_lock(pointer)
        precondition(status == 0, "a default mutex that exists can always be locked")
    }

    @usableFromInline
    func unlock() {
        let status = pthread_mutex_unlock(pointer)
        precondition(status == 0, "only the thread that locked unlocks")
    }

    func destroy() {
        pthread_mutex_destroy(pointer)
        pointer.deallocate()
    }
}

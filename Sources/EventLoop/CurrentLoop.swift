internal import Glibc

/// Which loop's thread this is (pthread_getspecific(3)).
enum CurrentLoop {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "no thread-specific key left")
        return key
    }()

    static func get() -> EventLoop? {
        guard let pointer = pthread_getspecific(key) else { return nil }
        return Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// The thread keeps the loop alive for as long as it runs, so the reference here is unretained.
    static func set(_ loop: EventLoop?) {
        pthread_setspecific(key, loop.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
}

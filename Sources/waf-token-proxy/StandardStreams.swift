internal import Glibc

/// Descriptors 0, 1 and 2, which a parent may have closed.
enum StandardStreams {
    /// Opens /dev/null in the place of each that is closed: else the next socket or pipe of ours gets its number, and
    /// log lines are written into that. Only to read: writing fails there, as it does on a closed one.
    static func fillGaps() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDONLY)  // the lowest free number: this one
        }
    }
}

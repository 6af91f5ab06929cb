internal import Glibc
internal import Synchronization

/// Tells a loop of signals, and whether each came from the terminal: those its whole foreground process group has got
/// already. One at a time in a process. Confined to its loop.
public final class SignalRelay {
    private let reader: Int32
    private var watcher: SocketWatcher?

    /// Takes these signals from now on; `handler` is called on the loop.
    public init(
        loop: EventLoop, signals: [Int32], _ handler: @escaping (_ signal: Int32, _ isFromTerminal: Bool) -> Void
    ) throws(SystemError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SystemError(errno: errno, in: "pipe") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        reader = ends[0]
        // Set before the first handler is: nothing is initialised inside of one.
        signalPipe.store(ends[1], ordering: .releasing)
        let reader = reader
        let watcher = try SocketWatcher(loop: loop, descriptor: reader) { _ in
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(reader, &bytes, bytes.count)
            for byte in bytes.prefix(max(0, count)) { handler(Int32(byte & 0x7f), byte & 0x80 != 0) }
        }
        watcher.update(.readable)
        self.watcher = watcher
        for signal in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_sigaction = noteSignal
            action.sa_flags = SA_SIGINFO | SA_RESTART
            guard sigaction(signal, &action, nil) == 0 else { throw SystemError(errno: errno, in: "sigaction") }
        }
    }
}

/// Where the handler writes; -1 before there is a relay.
private let signalPipe = Atomic<Int32>(-1)

/// Only calls what signal-safety(7) allows. A full pipe loses a signal: 65,536 of them wait already.
private let noteSignal: @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
    signal, information, _ in
    let before = errno
    // The kernel itself sends what the terminal's keys and its hang-up ask for (sigaction(2), SI_KERNEL).
    let isFromTerminal = (information?.pointee.si_code ?? 0) > 0
    var byte = UInt8(truncatingIfNeeded: signal) | (isFromTerminal ? 0x80 : 0)
    _ = write(signalPipe.load(ordering: .acquiring), &byte, 1)
    errno = before
}

internal import CUV
internal import Glibc

/// Calls a handler on a loop each time the process gets a signal. Confined to its loop.
public final class SignalWatcher: HandleOwner {
    private var handler: (() -> Void)?

    /// Watches for `signal` (signal(7)) until `close`, which gives the signal its default effect back.
    public init(loop: EventLoop, signal: Int32, _ handler: @escaping () -> Void) throws(SystemError) {
        self.handler = handler
        try super.init(loop: loop, uv_signal_t.self, "uv_signal_init") { uv_signal_init($0, $1) }
        let code = uv_signal_start(
            typed(), { watcher, _ in HandleOwner.owner(SignalWatcher.self, of: watcher).handler?() }, signal)
        if code < 0 {
            close()
            throw SystemError(uv: code, in: "uv_signal_start")
        }
    }

    override func didClose() { handler = nil }

    /// A write to a closed pipe or socket becomes an error of that call instead of the end of the process.
    public static func ignoreBrokenPipes() {
        Glibc.signal(SIGPIPE, SIG_IGN)
    }
}

internal import CUV
internal import Glibc

/// A program that takes over this process's terminal, standard streams and process group, as a shell's command does.
///
/// Confined to its loop.
public final class ForegroundChild: ProcessHandle {
    /// How it ended.
    public enum Ending: Sendable, Hashable {
        /// By itself, with this status.
        case exited(Int32)
        /// By this signal (signal(7)).
        case signalled(Int32)
    }

    private var ending: Ending?
    private var waiter: UnsafeContinuation<Void, Never>?

    /// Starts `arguments[0]`, looked up in the PATH of `environment`, which is complete: `NAME=value` strings. Every
    /// signal has its default effect in the child. ENOENT, EACCES: there is no such program, or it cannot be run.
    public init(loop: EventLoop, _ arguments: [String], environment: [String]) throws(SystemError) {
        precondition(!arguments.isEmpty, "a command has at least its name")
        try super.init(loop: loop)
        var streams = [uv_stdio_container_t](repeating: uv_stdio_container_t(), count: 3)
        for descriptor in 0..<3 {
            streams[descriptor].flags = UV_INHERIT_FD
            streams[descriptor].data.fd = Int32(descriptor)
        }
        let failure = DescriptorLimit.withInitial { () -> SystemError? in
            do throws(SystemError) { try spawn(arguments, environment, streams) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    override func didExit(_ status: Int32, _ signal: Int32) {
        ending = signal == 0 ? .exited(status) : .signalled(signal)
        close()
    }

    /// Sends it a signal; does nothing once it has ended.
    public func send(_ signal: Int32) {
        if ending == nil, !isClosed { uv_process_kill(typed(), signal) }
    }

    /// Returns when it has ended; SIGKILL if the loop ended before it.
    public func ended() async -> Ending {
        if !isClosed { await withUnsafeContinuation { waiter = $0 } }
        return ending ?? .signalled(SIGKILL)
    }

    override func didClose() {
        waiter?.resume()
        waiter = nil
    }
}

internal import CUV
internal import Glibc

/// A program that takes over this process's terminal, standard streams and process group, as a shell's command does.
///
/// Confined to its loop.
public final class ForegroundChild: HandleOwner {
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
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var streams = [uv_stdio_container_t](repeating: uv_stdio_container_t(), count: 3)
        for descriptor in 0..<3 {
            streams[descriptor].flags = UV_INHERIT_FD
            streams[descriptor].data.fd = Int32(descriptor)
        }
        try super.init(loop: loop, uv_process_t.self, "uv_process") { _, process in
            process.initialize(to: uv_process_t())
            return 0
        }
        let code = words.withUnsafeMutableBufferPointer { words in
            variables.withUnsafeMutableBufferPointer { variables in
                streams.withUnsafeMutableBufferPointer { streams in
                    var options = uv_process_options_t()
                    options.file = UnsafePointer(words[0])
                    options.args = words.baseAddress
                    options.env = variables.baseAddress
                    options.stdio = streams.baseAddress
                    options.stdio_count = 3
                    options.exit_cb = { process, status, signal in
                        let child = HandleOwner.owner(ForegroundChild.self, of: process)
                        child.ending = signal == 0 ? .exited(Int32(truncatingIfNeeded: status)) : .signalled(signal)
                        child.close()
                    }
                    let data = handle.pointee.data
                    let code = DescriptorLimit.withInitial { uv_spawn(loop.uv, typed(), &options) }
                    handle.pointee.data = data
                    return code
                }
            }
        }
        if code < 0 {
            close()
            throw SystemError(uv: code, in: arguments[0])
        }
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

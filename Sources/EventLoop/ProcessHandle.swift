internal import CUV
internal import Glibc

/// A program that was started (uv_spawn), of whichever kind: the subclass says what its streams are and hears of its end.
///
/// Confined to its loop.
public class ProcessHandle: HandleOwner {
    /// Its number; 0 until it runs.
    final private(set) var pid: pid_t = 0

    /// uv_spawn makes the handle active even where it fails, so it is closed like any other afterwards.
    init(loop: EventLoop) throws(SystemError) {
        try super.init(loop: loop, uv_process_t.self, "uv_process") { _, process in
            process.initialize(to: uv_process_t())
            return 0
        }
    }

    /// Starts `arguments[0]`, looked up in the PATH of `environment`, which is complete: `NAME=value` strings. ENOENT,
    /// EACCES: there is no such program, or it cannot be run; the handle is closed then.
    final func spawn(
        _ arguments: [String], _ environment: [String], _ streams: [uv_stdio_container_t],
        flags: uv_process_flags? = nil
    ) throws(SystemError) {
        var streams = streams
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        let code = words.withUnsafeMutableBufferPointer { words in
            variables.withUnsafeMutableBufferPointer { variables in
                streams.withUnsafeMutableBufferPointer { streams in
                    var options = uv_process_options_t()
                    options.file = UnsafePointer(words[0])
                    options.args = words.baseAddress
                    options.env = variables.baseAddress
                    options.stdio = streams.baseAddress
                    options.stdio_count = Int32(streams.count)
                    options.flags = flags?.rawValue ?? 0
                    options.exit_cb = { process, status, signal in
                        let owner = HandleOwner.owner(ProcessHandle.self, of: process)
                        ChildReaper.ended(owner.pid)
                        owner.didExit(Int32(truncatingIfNeeded: status), signal)
                    }
                    return start(&options)
                }
            }
        }
        if code < 0 {
            close()
            throw SystemError(uv: code, in: arguments[0])
        }
    }

    private func start(_ options: inout uv_process_options_t) -> Int32 {
        let data = handle.pointee.data  // uv_spawn clears it
        defer { handle.pointee.data = data }
        var code: Int32 = 0
        ChildReaper.starting {
            code = uv_spawn(loop.uv, typed(), &options)
            pid = code < 0 ? 0 : uv_process_get_pid(typed())
            return pid
        }
        return code
    }

    /// Called once, when the program has ended: its status, and the signal that ended it (0 for none).
    func didExit(_ status: Int32, _ signal: Int32) {}
}

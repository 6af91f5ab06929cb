internal import CUV
internal import Glibc

/// How a child process ended, and what it wrote before.
public struct ChildResult: Sendable, Hashable {
    /// Exit status, or nil when a signal ended it.
    public var exitStatus: Int32?
    /// The signal that ended it (signal(7)), 0 for none.
    public var signal: Int32
    /// What it wrote to standard output, up to the cap.
    public var output: [UInt8]
    /// What it wrote to standard error, up to the cap.
    public var errors: [UInt8]
    /// Whether it wrote more than the cap to standard output.
    public var outputIsCut: Bool
    /// Whether it was killed because its time was up.
    public var didTimeOut: Bool
}

/// Runs a program to its end: argument array, no shell, nothing on standard input, own process group.
public enum ChildProcess {
    /// Runs `arguments[0]` (looked up in PATH) on `loop`, on which this must be called.
    ///
    /// `environment` is complete: `NAME=value` strings. After `timeout` the whole process group gets SIGKILL. Each of
    /// the two outputs is read to its end but only the first `cap` bytes are kept.
    public static func run(
        _ arguments: [String], environment: [String], timeout: Duration, cap: Int, on loop: EventLoop
    ) async throws(SystemError) -> ChildResult {
        loop.checkIsolated()
        precondition(!arguments.isEmpty, "a command has at least its name")
        let output = try OutputPipe(loop: loop, cap: cap)
        let errors: OutputPipe
        do throws(SystemError) { errors = try OutputPipe(loop: loop, cap: cap) } catch {
            output.close()
            throw error
        }
        let child: RunningChild
        do throws(SystemError) {
            child = try RunningChild(loop: loop, arguments, environment, output, errors)
        } catch {
            output.close()
            errors.close()
            throw error
        }
        let timer = LoopTimer(loop: loop) { child.kill(after: output, errors) }
        timer.start(after: timeout)
        defer { timer.close() }
        await output.ended()
        await errors.ended()
        await child.ended()
        return ChildResult(
            exitStatus: child.signal == 0 ? child.status : nil, signal: child.signal, output: output.bytes,
            errors: errors.bytes, outputIsCut: output.isCut, didTimeOut: child.didTimeOut)
    }
}

/// The process handle. A child that cannot be started is an error of `init`.
private final class RunningChild: ProcessHandle {
    private(set) var status: Int32 = -1
    private(set) var signal: Int32 = 0
    private(set) var didTimeOut = false
    private var hasExited = false
    private var hasEnded = false
    private var waiter: UnsafeContinuation<Void, Never>?

    init(
        loop: EventLoop, _ arguments: [String], _ environment: [String], _ output: OutputPipe, _ errors: OutputPipe
    ) throws(SystemError) {
        try super.init(loop: loop)
        var streams = [uv_stdio_container_t](repeating: uv_stdio_container_t(), count: 3)
        streams[0].flags = UV_IGNORE
        for (index, pipe) in [output, errors].enumerated() {
            streams[index + 1].flags = uv_stdio_flags(UV_CREATE_PIPE.rawValue | UV_WRITABLE_PIPE.rawValue)
            streams[index + 1].data.stream = pipe.typed()
        }
        // Detached: a session, and so a process group of its own, whose number is that of the child.
        try spawn(arguments, environment, streams, flags: UV_PROCESS_DETACHED)
        output.start()
        errors.start()
    }

    override func didExit(_ status: Int32, _ signal: Int32) {
        self.status = status
        self.signal = signal
        hasExited = true
        close()
    }

    /// Kills the group, what the child left running in it included; a grandchild that left the group and keeps the
    /// pipes open is no longer waited for.
    func kill(after pipes: OutputPipe...) {
        didTimeOut = true
        killGroup()
        for pipe in pipes { pipe.close() }
    }

    private func killGroup() {
        guard pid > 0 else { return }
        if Glibc.kill(-pid, SIGKILL) != 0, !hasExited { Glibc.kill(pid, SIGKILL) }
    }

    func ended() async {
        if hasEnded { return }
        await withUnsafeContinuation { waiter = $0 }
    }

    override func didClose() {
        if !hasExited { killGroup() }  // the loop ends before it
        hasEnded = true
        waiter?.resume()
        waiter = nil
    }
}

/// Our end of one output of a child.
private final class OutputPipe: HandleOwner {
    private let cap: Int
    private(set) var bytes: [UInt8] = []
    private(set) var isCut = false
    private var waiter: UnsafeContinuation<Void, Never>?

    init(loop: EventLoop, cap: Int) throws(SystemError) {
        self.cap = cap
        try super.init(loop: loop, uv_pipe_t.self, "uv_pipe_init") { uv_pipe_init($0, $1, 0) }
    }

    func start() {
        uv_read_start(
            typed(),
            { handle, _, buffer in
                let loop = EventLoop.from(handle!.pointee.loop)
                buffer!.pointee = uv_buf_init(loop.scratch, UInt32(EventLoop.scratchSize))
            },
            { handle, count, buffer in
                let pipe = HandleOwner.owner(OutputPipe.self, of: handle)
                if count < 0 { return pipe.close() }
                if count > 0 { pipe.keep(UnsafeRawBufferPointer(start: buffer!.pointee.base, count: count)) }
            })
    }

    private func keep(_ more: UnsafeRawBufferPointer) {
        let room = cap - bytes.count
        if more.count > room { isCut = true }
        bytes.append(contentsOf: more.prefix(room))
    }

    func ended() async {
        if isClosed { return }
        await withUnsafeContinuation { waiter = $0 }
    }

    override func didClose() {
        waiter?.resume()
        waiter = nil
    }
}

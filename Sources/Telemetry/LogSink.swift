import Glibc

/// Where log lines go: a bounded buffer, and a thread of its own that writes it to a descriptor.
///
/// `write` never blocks on the descriptor: when the buffer is full the line is dropped and counted. Does not own the
/// descriptor. Safe on any thread. A reader that went away (`EPIPE`) raises no signal and stops nothing; its lines are
/// counted as dropped. Once lines can be written again, one says how many were lost. When the last reference goes, what
/// is buffered is still written.
public final class LogSink: Sendable {
    private let core: LogSinkCore

    /// A sink for `descriptor` that buffers at most `capacity` bytes. `failed` gets the errno of the first write that
    /// fails after one that did not, on the thread that writes.
    public init(descriptor: Int32, capacity: Int = 1 << 20, failed: @escaping @Sendable (Int32) -> Void = { _ in }) {
        core = LogSinkCore(descriptor: descriptor, capacity: capacity, failed: failed)
        core.startWriter()
    }

    deinit {
        core.close()
    }

    /// Queues one line, given without its line end.
    public func write(_ line: Span<UInt8>) {
        core.append(line)
    }

    /// What makes the line, without its end, that says how many lines were lost; the last one that is set counts.
    func describeLosses(_ line: @escaping @Sendable (Int) -> [UInt8]) {
        core.describeLosses(line)
    }

    /// How many lines were dropped so far.
    public var droppedLines: Int {
        core.droppedLines
    }

    /// Waits until everything queued before is written or dropped, at most `timeoutMsec`. For the end of the program.
    public func flush(timeoutMsec: Int) {
        core.flush(timeoutMsec: timeoutMsec)
    }
}

import Glibc

/// The state that a `LogSink` shares with its writer thread, which keeps it alive.
///
/// Lines collect in `pending`; the writer swaps it for an empty buffer and writes outside the lock. After each write it
/// rests, so that a busy proxy wakes it 200 times a second and not once a line.
final class LogSinkCore: @unchecked Sendable {
    /// Microseconds of rest after so many bytes: few lines come soon, many come together.
    private static func rest(after count: Int) -> UInt32 { count < 4096 ? 1000 : 5000 }

    private let descriptor: Int32
    private let capacity: Int
    private let failed: @Sendable (Int32) -> Void
    private let condition = WaitCondition()
    // All below is guarded by `condition`.
    private var pending: [UInt8] = []
    private var dropped = 0
    private var isWriterWaiting = false
    private var isWriting = false
    private var isClosed = false
    private var lossLine: (@Sendable (Int) -> [UInt8])?
    // These belong to the writer alone.
    private var said = 0
    private var isFailing = false

    init(descriptor: Int32, capacity: Int, failed: @escaping @Sendable (Int32) -> Void) {
        self.descriptor = descriptor
        self.capacity = capacity
        self.failed = failed
    }

    func describeLosses(_ line: @escaping @Sendable (Int) -> [UInt8]) {
        condition.lock()
        lossLine = line
        condition.unlock()
    }

    func append(_ line: Span<UInt8>) {
        condition.lock()
        if pending.count + line.count + 1 > capacity {
            dropped += 1
        } else {
            line.withUnsafeBufferPointer { pending.append(contentsOf: $0) }
            pending.append(UInt8(ascii: "\n"))
        }
        let wakes = isWriterWaiting
        isWriterWaiting = false
        condition.unlock()
        if wakes { condition.broadcast() }
    }

    var droppedLines: Int {
        condition.lock()
        defer { condition.unlock() }
        return dropped
    }

    func flush(timeoutMsec: Int) {
        let deadline = WaitCondition.deadline(afterMsec: timeoutMsec)
        condition.lock()
        while isWriting || !pending.isEmpty {
            guard condition.wait(until: deadline) else { break }
        }
        condition.unlock()
    }

    func close() {
        condition.lock()
        isClosed = true
        condition.unlock()
        condition.broadcast()
    }

    /// Starts the writer. Without a thread nothing is written; lines are dropped and counted once the buffer is full.
    func startWriter() {
        var thread = pthread_t()
        let keptAlive = Unmanaged.passRetained(self)
        let status = pthread_create(&thread, nil, writerMain, keptAlive.toOpaque())
        guard status == 0 else { return keptAlive.release() }
        pthread_detach(thread)
    }

    fileprivate func runWriter() {
        var batch: [UInt8] = []
        while takeBatch(&batch) {
            let lost = write(batch)
            condition.lock()
            dropped += lost
            let (unsaid, lossLine) = (dropped - said, lossLine)
            condition.unlock()
            if lost == 0, unsaid > 0, let lossLine, write(lossLine(unsaid) + [UInt8(ascii: "\n")]) == 0 {
                said += unsaid
            }
            condition.lock()
            isWriting = false
            condition.unlock()
            condition.broadcast()
            let rest = Self.rest(after: batch.count)
            batch.removeAll(keepingCapacity: batch.capacity <= 1 << 16)
            usleep(rest)
        }
    }

    /// Waits for lines and swaps them into `batch`; false once the sink is closed and everything is written.
    private func takeBatch(_ batch: inout [UInt8]) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while pending.isEmpty {
            if isClosed { return false }
            isWriterWaiting = true
            condition.wait()
        }
        isWriterWaiting = false
        isWriting = true
        swap(&batch, &pending)
        return true
    }

    /// Writes all of `batch` and returns how many lines could not be written (write(2)).
    private func write(_ batch: [UInt8]) -> Int {
        batch.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written >= 0 {
                    isFailing = false
                    rest = rest.dropFirst(written)
                } else if errno == EAGAIN {
                    var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&interest, 1, -1)
                } else if errno != EINTR {
                    if !isFailing { failed(errno) }
                    isFailing = true
                    return rest.count { $0 == UInt8(ascii: "\n") }
                }
            }
            return 0
        }
    }
}

private func writerMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Signals belong to other threads; above all a broken pipe must come back as EPIPE, not as SIGPIPE.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    let core = Unmanaged<LogSinkCore>.fromOpaque(argument).takeRetainedValue()
    core.runWriter()
    return nil
}

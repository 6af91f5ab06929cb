internal import CUV
internal import Glibc

/// One uv_write(3) under way: the request and the bytes, alive until the callback.
struct WriteRequest {
    let request: UnsafeMutablePointer<uv_write_t>
    let base: UnsafeMutablePointer<UInt8>
    let start: Int
    let count: Int

    func free() {
        request.deallocate()
        base.deallocate()
    }
}

extension Stream {
    /// Bytes accepted by `send` and not yet by the kernel.
    public var queuedBytes: Int { pending.count + (inFlight?.count ?? 0) }

    /// As `queuedBytes`, to the byte: it shrinks while a large write is under way.
    public var unsentBytes: Int {
        pending.count + (isClosed || inFlight == nil ? 0 : uv_stream_get_write_queue_size(uvStream))
    }

    private var sentBytes: Int { acceptedBytes - unsentBytes }

    /// Whether the caller should wait (`drained`) before it sends more.
    public var isCongested: Bool { queuedBytes >= Self.outboundHighWatermark }

    /// Sends bytes in order: at once as far as the kernel takes them, the rest is copied and queued.
    ///
    /// On a broken or closed stream the bytes are dropped; `receive`, `drained` and `flushed` tell.
    public func send(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: uv_buf_t.self, capacity: 1) { parts in
                parts.initializeElement(at: 0, to: uv_buf_t(bytes))
                sendParts(parts)
            }
        }
    }

    /// Sends bytes in order, as `send(_:)` of a span does.
    public func send(_ bytes: [UInt8]) { send(bytes.span) }

    /// Sends three pieces as if they were one, without copying them together (writev(2)).
    public func send(_ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>) {
        first.withUnsafeBufferPointer { first in
            second.withUnsafeBufferPointer { second in
                third.withUnsafeBufferPointer { third in
                    withUnsafeTemporaryAllocation(of: uv_buf_t.self, capacity: 3) { parts in
                        parts.initializeElement(at: 0, to: uv_buf_t(first))
                        parts.initializeElement(at: 1, to: uv_buf_t(second))
                        parts.initializeElement(at: 2, to: uv_buf_t(third))
                        sendParts(parts)
                    }
                }
            }
        }
    }

    /// Sends three pieces as if they were one: what surrounds a block of a body is small and built by the caller.
    public func send(_ first: [UInt8], _ second: Span<UInt8>, _ third: [UInt8]) { send(first.span, second, third.span) }

    private func sendParts(_ parts: UnsafeMutableBufferPointer<uv_buf_t>) {
        guard !isBroken else { return }
        precondition(!didFinishSending, "bytes after the end")
        guard let filter else { return sendToWire(parts) }
        for part in parts where part.len > 0 {
            UnsafeRawPointer(part.base!).withMemoryRebound(to: UInt8.self, capacity: part.len) {
                filter.encode(Span(_unsafeElements: UnsafeBufferPointer(start: $0, count: part.len)))
            }
        }
        sendOutput(of: filter)
    }

    func sendToWire(_ bytes: UnsafeBufferPointer<UInt8>) {
        withUnsafeTemporaryAllocation(of: uv_buf_t.self, capacity: 1) { parts in
            parts.initializeElement(at: 0, to: uv_buf_t(bytes))
            sendToWire(parts)
        }
    }

    private func sendToWire(_ parts: UnsafeMutableBufferPointer<uv_buf_t>) {
        guard !isBroken else { return }
        acceptedBytes += parts.reduce(0) { $0 + $1.len }
        var written = 0
        if inFlight == nil, pending.isEmpty {
            let code = uv_try_write(uvStream, parts.baseAddress, UInt32(parts.count))
            if code >= 0 {
                written = Int(code)
            } else if code != UV_EAGAIN.rawValue {
                return fail(SystemError(uv: code, in: "write"))
            }
        }
        for part in parts {
            let skipped = min(written, part.len)
            written -= skipped
            guard part.len > skipped else { continue }
            UnsafeRawPointer(part.base + skipped).withMemoryRebound(to: UInt8.self, capacity: part.len - skipped) {
                pending.append(UnsafeBufferPointer(start: $0, count: part.len - skipped))
            }
        }
        if inFlight == nil, !pending.isEmpty { writePending() }
    }

    private func writePending() {
        guard let (base, start, count) = pending.take() else { return }
        let write = WriteRequest(request: .allocate(capacity: 1), base: base, start: start, count: count)
        inFlight = write
        var buffer = uv_buf_init(
            UnsafeMutableRawPointer(base + start).assumingMemoryBound(to: CChar.self), UInt32(clamping: count))
        write.request.pointee.data = Unmanaged.passRetained(self).toOpaque()
        let code = uv_write(write.request, uvStream, &buffer, 1) { request, status in
            let stream = Unmanaged<Stream>.fromOpaque(request!.pointee.data).takeRetainedValue()
            stream.didWrite(status)
        }
        if code < 0 {
            Unmanaged<Stream>.fromOpaque(write.request.pointee.data).release()
            finishWrite()
            fail(SystemError(uv: code, in: "write"))
        }
    }

    private func finishWrite() {
        inFlight?.free()
        inFlight = nil
    }

    private func didWrite(_ status: Int32) {
        finishWrite()
        if isClosed { return }
        if status < 0 { return fail(SystemError(uv: status, in: "write")) }
        if !pending.isEmpty { writePending() }
        if let waiter = drainWaiter, queuedBytes <= waiter.level { resumeDrainWaiter(.success(())) }
    }

    /// Waits until less than a quarter of the high watermark is queued; returns at once where it is not congested.
    ///
    /// Throws `timedOut` when the peer has taken no byte for `stallLimit`.
    public func drained(stallLimit: Duration? = nil) async throws(StreamError) {
        if isCongested { try await waitForQueue(downTo: Self.outboundHighWatermark / 4, stallLimit) }
        try throwIfBroken()
    }

    /// Waits until the kernel has every byte that was sent; `stallLimit` as in `drained`.
    public func flushed(stallLimit: Duration? = nil) async throws(StreamError) {
        if queuedBytes > 0 { try await waitForQueue(downTo: 0, stallLimit) }
        try throwIfBroken()
    }

    /// Ends our side after the bytes that were sent (shutdown(2) SHUT_WR); the peer may go on sending.
    public func finishSending(stallLimit: Duration? = nil) async throws(StreamError) {
        finishFilter()
        try await flushed(stallLimit: stallLimit)
        guard !didFinishSending else { return }
        didFinishSending = true
        var descriptor: uv_os_fd_t = -1
        guard uv_fileno(handle, &descriptor) == 0 else { throw .closed }
        if Glibc.shutdown(descriptor, Int32(SHUT_WR)) != 0, errno != ENOTCONN {
            throw .failed(SystemError(errno: errno, in: "shutdown"))
        }
    }

    private func throwIfBroken() throws(StreamError) {
        if isClosed { throw .closed }
        if case .failure(let error) = ending { throw error }
    }

    private func waitForQueue(downTo level: Int, _ stallLimit: Duration?) async throws(StreamError) {
        precondition(drainWaiter == nil, "two writers on one stream")
        try throwIfBroken()
        if let stallLimit { watchForStall(stallLimit) }
        let result = await withUnsafeContinuation { drainWaiter = (level, $0) }
        stallTimer?.close()
        stallTimer = nil
        try result.get()
    }

    private func watchForStall(_ limit: Duration) {
        var before = sentBytes
        stallTimer = LoopTimer(loop: loop) { [unowned self] in
            guard sentBytes > before else { return resumeDrainWaiter(.failure(.timedOut)) }
            before = sentBytes
            stallTimer?.start(after: limit)
        }
        stallTimer?.start(after: limit)
    }

    func resumeDrainWaiter(_ result: Result<Void, StreamError>) {
        guard let waiter = drainWaiter else { return }
        drainWaiter = nil
        waiter.continuation.resume(returning: result)
    }
}

extension uv_buf_t {
    /// Names memory that libuv only reads.
    fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
        self = uv_buf_init(base, UInt32(clamping: bytes.count))
    }
}

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

    /// Whether the caller should wait (`drained`) before it sends more.
    public var isCongested: Bool { queuedBytes >= Self.outboundHighWatermark }

    /// Sends bytes in order: at once as far as the kernel takes them, the rest is copied and queued.
    ///
    /// On a broken or closed stream the bytes are dropped; `receive`, `drained` and `flushed` tell.
    public func send(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { send($0) }
    }

    /// Sends bytes in order, as `send(_:)` does.
    public func send(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 0, !isBroken else { return }
        precondition(!didFinishSending, "bytes after the end")
        var rest = bytes[...]
        if inFlight == nil, pending.isEmpty {
            var buffer = uv_buf_init(
                UnsafeMutableRawPointer(mutating: bytes.baseAddress!).assumingMemoryBound(to: CChar.self),
                UInt32(clamping: bytes.count))
            let written = uv_try_write(uvStream, &buffer, 1)
            if written >= 0 {
                rest = rest.dropFirst(Int(written))
            } else if written != UV_EAGAIN.rawValue {
                return fail(SystemError(uv: written, in: "write"))
            }
        }
        if rest.isEmpty { return }
        pending.append(UnsafeBufferPointer(rebasing: rest))
        if inFlight == nil { writePending() }
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
    public func drained() async throws(StreamError) {
        if isCongested { try await waitForQueue(downTo: Self.outboundHighWatermark / 4) }
        try throwIfBroken()
    }

    /// Waits until the kernel has every byte that was sent.
    public func flushed() async throws(StreamError) {
        if queuedBytes > 0 { try await waitForQueue(downTo: 0) }
        try throwIfBroken()
    }

    /// Ends our side after the bytes that were sent (shutdown(2) SHUT_WR); the peer may go on sending.
    public func finishSending() async throws(StreamError) {
        try await flushed()
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

    private func waitForQueue(downTo level: Int) async throws(StreamError) {
        precondition(drainWaiter == nil, "two writers on one stream")
        try throwIfBroken()
        let result = await withUnsafeContinuation { drainWaiter = (level, $0) }
        try result.get()
    }

    func resumeDrainWaiter(_ result: Result<Void, StreamError>) {
        guard let waiter = drainWaiter else { return }
        drainWaiter = nil
        waiter.continuation.resume(returning: result)
    }
}

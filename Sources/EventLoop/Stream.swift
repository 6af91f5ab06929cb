internal import CUV
internal import Glibc

/// Why a stream cannot go on.
public enum StreamError: Error, Sendable, Hashable {
    /// We closed it, or the loop ended.
    case closed
    /// The wait took longer than allowed; the stream itself is still good.
    case timedOut
    /// The peer reset it, or the network failed: `SystemError` says how.
    case failed(SystemError)
}

/// A connected TCP byte stream with half-close and write back-pressure. Confined to its loop.
///
/// Reads ahead up to `inboundHighWatermark` bytes, so a reset by the peer is noticed while nobody waits for bytes; beyond
/// that by a slow look at the socket.
/// Owns the socket. Does not know what the bytes mean.
public final class Stream: HandleOwner {
    /// Reading stops when so many bytes wait to be consumed.
    public static let inboundHighWatermark = 256 * 1024
    /// `isCongested` from here on, until the queue is down to a quarter.
    public static let outboundHighWatermark = 256 * 1024

    var received = ByteQueue()
    /// Bytes that came in all, and how many of them `receive` has told of.
    private var receivedBytes = 0
    private var toldBytes = 0
    var receiver: UnsafeContinuation<Result<Bool, StreamError>, Never>?
    var deadline: LoopTimer?
    var isReading = false
    /// Set once: the peer ended its side (`.success`), or the stream broke.
    var ending: Result<Void, StreamError>?
    /// Called once when the stream breaks (a reset, not an orderly end), also while nobody waits.
    public var onFailure: (() -> Void)?
    /// Called once when the peer has ended its side in order, also while nobody waits.
    public var onEnd: (() -> Void)?

    var filter: (any StreamFilter)?

    var pending = ByteQueue()
    var inFlight: WriteRequest?
    var drainWaiter: (level: Int, continuation: UnsafeContinuation<Result<Void, StreamError>, Never>)?
    var didFinishSending = false
    var acceptedBytes = 0
    var stallTimer: LoopTimer?

    // Looking for a reset: Stream+ResetProbe.swift
    var resetProbe: LoopTimer?
    var isProbing = false

    init(loop: EventLoop) throws(SystemError) {
        try super.init(loop: loop, uv_tcp_t.self, "uv_tcp_init") { uv_tcp_init($0, $1) }
    }

    var uvStream: UnsafeMutablePointer<uv_stream_t> { typed() }

    func didConnect() {
        guard !isClosed else { return }
        uv_tcp_nodelay(typed(), 1)
        startReading()
    }

    // MARK: Receiving

    /// Received and not yet consumed. Look at it anew after every `await`.
    public var inbound: Span<UInt8> {
        @_lifetime(borrow self)
        get { _overrideLifetime(received.span, borrowing: self) }
    }

    /// Whether anything is in `inbound`.
    public var hasUnreadBytes: Bool { !received.isEmpty }

    /// Whether the peer ended its side and all of its bytes are in `inbound`.
    public var isAtEnd: Bool {
        if case .success = ending { true } else { false }
    }

    /// Whether the stream was broken, by the peer or by us.
    public var isBroken: Bool {
        if isClosed { return true }
        if case .failure = ending { return true }
        return false
    }

    /// Takes `count` bytes off the front of `inbound`.
    public func consume(_ count: Int) {
        received.consume(count)
        if !isReading, received.count < Self.inboundHighWatermark / 2 { startReading() }
    }

    /// Waits until at least one byte has come since this last returned: true. False when the peer ended its side and
    /// every byte has been told of.
    ///
    /// Whoever waits gets more, even where `inbound` is over its watermark. One caller at a time. Throws `timedOut`
    /// after `limit`; the caller may then wait again.
    public func receive(within limit: Duration? = nil) async throws(StreamError) -> Bool {
        precondition(receiver == nil, "two readers on one stream")
        if isClosed { throw .closed }
        if receivedBytes == toldBytes {
            if let ending {
                try ending.get()
                return false
            }
            startReading()
            if let limit { startDeadline(limit) }
            let result = await withUnsafeContinuation { receiver = $0 }
            if limit != nil { deadline?.stop() }
            guard try result.get() else { return false }
        }
        toldBytes = receivedBytes
        return true
    }

    /// Ends a `receive` that waits, as if its time was up; the stream itself is still good.
    public func stopWaiting() { resumeReceiver(.failure(.timedOut)) }

    private func startDeadline(_ limit: Duration) {
        if deadline == nil {
            deadline = LoopTimer(loop: loop) { [unowned self] in resumeReceiver(.failure(.timedOut)) }
        }
        deadline?.start(after: limit)
    }

    func resumeReceiver(_ result: Result<Bool, StreamError>) {
        guard let waiter = receiver else { return }
        receiver = nil
        waiter.resume(returning: result)
    }

    private func startReading() {
        guard !isReading, !isClosed, ending == nil else { return }
        isReading = true
        uv_read_start(
            uvStream,
            { handle, _, buffer in
                let loop = EventLoop.from(handle!.pointee.loop)
                buffer!.pointee = uv_buf_init(loop.scratch, UInt32(EventLoop.scratchSize))
            },
            { handle, count, buffer in
                HandleOwner.owner(Stream.self, of: handle).didRead(count, buffer!.pointee.base)
            })
    }

    private func didRead(_ count: Int, _ base: UnsafeMutablePointer<CChar>?) {
        if count == 0 { return }  // EAGAIN
        if count < 0 { return didEnd(Int32(count)) }
        UnsafeRawPointer(base!).withMemoryRebound(to: UInt8.self, capacity: count) { start in
            let bytes = UnsafeBufferPointer(start: start, count: count)
            if filter != nil { return decode(Span(_unsafeElements: bytes)) }
            received.append(bytes)
            didReceive(count)
        }
    }

    /// So many bytes more are in `received`.
    func didReceive(_ count: Int) {
        receivedBytes += count
        if isReading, received.count >= Self.inboundHighWatermark {
            isReading = false
            uv_read_stop(uvStream)
            probeForReset()
        }
        resumeReceiver(.success(true))
    }

    private func didEnd(_ code: Int32) {
        if code == UV_EOF.rawValue { didEndInOrder() } else { fail(SystemError(uv: code, in: "read")) }
    }

    /// The peer has nothing more to say.
    func didEndInOrder() {
        guard !isClosed, ending == nil else { return }
        isReading = false
        uv_read_stop(uvStream)
        ending = .success(())
        resumeReceiver(.success(false))
        let tell = onEnd
        onEnd = nil
        tell?()
    }

    /// The connection broke: everybody who waits is told, once.
    func fail(_ error: SystemError) {
        guard !isBroken else { return }
        ending = .failure(.failed(error))
        isReading = false
        uv_read_stop(uvStream)
        pending.removeAll()
        resumeReceiver(.failure(.failed(error)))
        resumeDrainWaiter(.failure(.failed(error)))
        let tell = onFailure
        onFailure = nil
        tell?()
    }

    /// Ends the connection in order, as far as the kernel takes at once what is still to be said.
    public override func close() {
        finishFilter()
        super.close()
    }

    override func didClose() {
        filter = nil
        deadline?.close()
        deadline = nil
        stallTimer?.close()
        stallTimer = nil
        resetProbe?.close()
        resetProbe = nil
        onFailure = nil
        onEnd = nil
        pending.removeAll()
        received.removeAll()
        resumeReceiver(.failure(.closed))
        resumeDrainWaiter(.failure(.closed))
    }

    /// Ends the connection with a reset: the peer's read fails instead of seeing an orderly end.
    public func reset() {
        close { handle, callback in
            uv_tcp_close_reset(UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_tcp_t.self), callback)
        }
    }

    // MARK: Address

    /// The other end; nil once the connection is gone.
    public var peerAddress: SocketAddress? {
        guard !isClosed else { return nil }
        return socketAddress { uv_tcp_getpeername(typed(), $0, $1) }
    }
}

/// Reads an address through a call that fills a `sockaddr_storage`.
func socketAddress(
    _ get: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<Int32>) -> Int32
) -> SocketAddress? {
    var storage = sockaddr_storage()
    var length = Int32(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes in
        let pointer = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
        return get(pointer, &length) == 0 ? SocketAddress(sockaddr: pointer) : nil
    }
}

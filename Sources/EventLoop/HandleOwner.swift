internal import CUV

/// What every object that owns a libuv handle has in common: the handle's `data` points to its owner, which is kept
/// alive until the close callback has run, because libuv may call until then.
///
/// Confined to the loop's thread.
public class HandleOwner {
    /// The loop that the handle belongs to.
    public let loop: EventLoop
    let handle: UnsafeMutablePointer<uv_handle_t>
    /// Whether `close` was called; every later call is a no-op.
    public private(set) var isClosed = false

    /// Allocates a zeroed `Handle`; `initialize` is libuv's init function for it.
    init<Handle>(
        loop: EventLoop, _: Handle.Type, _ call: String,
        initialize: (UnsafeMutablePointer<uv_loop_t>, UnsafeMutablePointer<Handle>) -> Int32
    ) throws(SystemError) {
        self.loop = loop
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<Handle>.size, alignment: MemoryLayout<Handle>.alignment)
        handle = memory.assumingMemoryBound(to: uv_handle_t.self)
        let code = initialize(loop.uv, memory.assumingMemoryBound(to: Handle.self))
        if code < 0 {
            memory.deallocate()
            isClosed = true
            throw SystemError(uv: code, in: call)
        }
        handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    }

    func typed<Handle>(_: Handle.Type = Handle.self) -> UnsafeMutablePointer<Handle> {
        UnsafeMutableRawPointer(handle).assumingMemoryBound(to: Handle.self)
    }

    /// Closes the handle. Idempotent; waiters of a subclass are told before this returns.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        uv_close(handle, handleDidClose)
        didClose()
    }

    /// For a subclass that closes in another way (a reset).
    func close(by operation: (UnsafeMutablePointer<uv_handle_t>, uv_close_cb) -> Int32) {
        guard !isClosed else { return }
        isClosed = true
        if operation(handle, handleDidClose) != 0 { uv_close(handle, handleDidClose) }
        didClose()
    }

    /// Called once, when the handle stops working; a subclass resumes whoever waits.
    func didClose() {}

    /// The owner behind a handle that libuv calls back with.
    static func owner<Owner: HandleOwner>(_: Owner.Type, of handle: UnsafeMutableRawPointer!) -> Owner {
        let data = handle.assumingMemoryBound(to: uv_handle_t.self).pointee.data!
        return unsafeDowncast(Unmanaged<HandleOwner>.fromOpaque(data).takeUnretainedValue(), to: Owner.self)
    }

    /// The loop ends: closes a handle whatever it is. The loop's own handles have no owner.
    static func closeFromLoop(_ handle: UnsafeMutablePointer<uv_handle_t>) {
        if let data = handle.pointee.data {
            Unmanaged<HandleOwner>.fromOpaque(data).takeUnretainedValue().close()
        } else {
            uv_close(handle, nil)
        }
    }
}

/// Frees the handle and lets go of its owner.
private let handleDidClose: uv_close_cb = { handle in
    let data = handle!.pointee.data!
    UnsafeMutableRawPointer(handle!).deallocate()
    Unmanaged<HandleOwner>.fromOpaque(data).release()
}

internal import CUV

/// What a socket is ready for.
public struct Readiness: OptionSet, Sendable, Hashable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// There are bytes, or the end, or an error to be read.
    public static let readable = Readiness(rawValue: 1)  // UV_READABLE
    /// Bytes can be written.
    public static let writable = Readiness(rawValue: 2)  // UV_WRITABLE
    /// The peer ended its side (EPOLLRDHUP).
    public static let disconnected = Readiness(rawValue: 4)  // UV_DISCONNECT
    /// The poll itself failed: read or write to learn why.
    public static let failed = Readiness(rawValue: 1 << 8)
}

/// Tells when a descriptor that somebody else owns (libcurl) is ready. Level-triggered. Confined to its loop.
///
/// Does not own the descriptor, which must stay open until `close` was called.
public final class SocketWatcher: HandleOwner {
    private var handler: ((Readiness) -> Void)?
    /// What is watched for now.
    public private(set) var interest: Readiness = []

    /// Watches for nothing until `update`.
    public init(loop: EventLoop, descriptor: Int32, _ handler: @escaping (Readiness) -> Void) throws(SystemError) {
        self.handler = handler
        try super.init(loop: loop, uv_poll_t.self, "uv_poll_init") { uv_poll_init($0, $1, descriptor) }
    }

    /// Watches for `interest` from now on; costs nothing where it is the same as before. `[]` keeps the handle.
    public func update(_ interest: Readiness) {
        guard !isClosed, interest != self.interest else { return }
        self.interest = interest
        if interest.isEmpty {
            uv_poll_stop(typed())
            return
        }
        uv_poll_start(typed(), interest.rawValue) { poll, status, events in
            let watcher = HandleOwner.owner(SocketWatcher.self, of: poll)
            watcher.handler?(status < 0 ? .failed : Readiness(rawValue: events))
        }
    }

    override func didClose() { handler = nil }
}

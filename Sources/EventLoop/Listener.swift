internal import CUV
internal import Glibc

/// Accepts connections on one bound socket. Confined to its loop.
public final class Listener: HandleOwner {
    /// What is bound, with the real port.
    public let bound: ListeningAddress
    private var onAccept: ((Stream) -> Void)?

    /// Listens on a descriptor that `ListenerGroup` bound, and owns it from now on.
    ///
    /// `onAccept` gets each connection, reading already; it runs inside libuv's callback and should only start a task.
    public convenience init(
        loop: EventLoop, socket: BoundSocket, backlog: Int32 = 4096, onAccept: @escaping (Stream) -> Void
    ) throws(SystemError) {
        try self.init(loop: loop, .ip(socket.address), backlog, onAccept) { socket.release() }
    }

    /// The same for a socket in the file system; whoever bound it takes its file away.
    public convenience init(
        loop: EventLoop, socket: BoundUnixSocket, onAccept: @escaping (Stream) -> Void
    ) throws(SystemError) {
        try self.init(loop: loop, .unix(path: socket.path), 128, onAccept) { socket.release() }
    }

    private init(
        loop: EventLoop, _ bound: ListeningAddress, _ backlog: Int32, _ onAccept: @escaping (Stream) -> Void,
        descriptor: () -> Int32
    ) throws(SystemError) {
        self.bound = bound
        self.onAccept = onAccept
        try super.init(loop: loop, uv_tcp_t.self, "uv_tcp_init") { uv_tcp_init($0, $1) }
        do throws(SystemError) {
            // libuv asks nothing of the descriptor that only TCP could answer.
            try check(uv_tcp_open(typed(), descriptor()), "uv_tcp_open")
            try check(
                uv_listen(typed(), backlog) { server, status in
                    guard status >= 0 else { return }  // a connection that was gone before it was accepted
                    HandleOwner.owner(Listener.self, of: server).accept()
                }, "listen")
        } catch {
            close()
            throw error
        }
    }

    /// What is bound, of an IP socket.
    public var address: SocketAddress {
        guard let address = bound.ip else { preconditionFailure("a socket in the file system has no IP address") }
        return address
    }

    private func accept() {
        guard let stream = try? Stream(loop: loop) else { return }
        guard uv_accept(typed(), stream.uvStream) == 0 else { return stream.close() }
        hand(over: stream)
    }

    private func hand(over stream: Stream) {
        stream.didConnect()
        onAccept?(stream)
    }

    /// Accepts what already waits in the kernel's queue, then closes: closing alone would reset those connections.
    public func stop() {
        guard !isClosed else { return }
        var descriptor: uv_os_fd_t = -1
        if uv_fileno(handle, &descriptor) == 0 {
            while true {
                let connection = Glibc.accept(descriptor, nil, nil)
                if connection < 0 {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    break
                }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                guard let stream = try? Stream(loop: loop) else {
                    Glibc.close(connection)
                    continue
                }
                guard uv_tcp_open(stream.typed(), connection) == 0 else {
                    Glibc.close(connection)
                    stream.close()
                    continue
                }
                hand(over: stream)
            }
        }
        close()
    }

    override func didClose() { onAccept = nil }
}

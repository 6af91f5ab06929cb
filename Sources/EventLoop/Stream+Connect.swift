internal import CUV
internal import Glibc

extension Stream {
    /// Connects to one address or path. Must be called on the loop. Throws as the other `connect` does.
    public static func connect(
        to address: ListeningAddress, on loop: EventLoop, timeout: Duration
    ) async throws(StreamError) -> Stream {
        switch address {
        case .ip(let address): return try await connect(to: address, on: loop, timeout: timeout)
        case .unix(let path): return try connect(toSocketAt: path, on: loop)
        }
    }

    /// A socket in the file system accepts at once or not at all.
    private static func connect(toSocketAt path: String, on loop: EventLoop) throws(StreamError) -> Stream {
        loop.checkIsolated()
        do throws(SystemError) {
            let descriptor = try BoundUnixSocket.connect(to: path)
            let stream: Stream
            do throws(SystemError) { stream = try Stream(loop: loop) } catch {
                Glibc.close(descriptor)
                throw error
            }
            let code = uv_tcp_open(stream.typed(), descriptor)
            guard code == 0 else {
                Glibc.close(descriptor)
                stream.close()
                throw SystemError(uv: code, in: "uv_tcp_open")
            }
            stream.didConnect()
            return stream
        } catch {
            throw .failed(error)
        }
    }

    /// Connects to one address. Must be called on the loop.
    ///
    /// Throws `timedOut` after `timeout`, else `failed` with the error of connect(2). `started` gets the stream at once:
    /// closing it ends the attempt.
    public static func connect(
        to address: SocketAddress, on loop: EventLoop, timeout: Duration, started: ((Stream) -> Void)? = nil
    ) async throws(StreamError) -> Stream {
        loop.checkIsolated()
        let stream: Stream
        do { stream = try Stream(loop: loop) } catch { throw .failed(error) }
        let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
        defer { request.deallocate() }
        var didTimeOut = false
        let timer = LoopTimer(loop: loop) {
            didTimeOut = true
            stream.close()  // the connect callback comes with UV_ECANCELED
        }
        timer.start(after: timeout)
        started?(stream)
        defer { timer.close() }
        let code: Int32 = await withUnsafeContinuation { continuation in
            let waiter = ConnectWaiter(continuation)
            request.pointee.data = Unmanaged.passRetained(waiter).toOpaque()
            let started = address.withSockaddr { pointer, _ in
                uv_tcp_connect(request, stream.typed(), pointer.assumingMemoryBound(to: sockaddr.self)) {
                    request, status in
                    Unmanaged<ConnectWaiter>.fromOpaque(request!.pointee.data).takeRetainedValue()
                        .continuation.resume(returning: status)
                }
            }
            if started < 0 {
                Unmanaged<ConnectWaiter>.fromOpaque(request.pointee.data).release()
                continuation.resume(returning: started)
            }
        }
        if didTimeOut { throw .timedOut }
        if code < 0 {
            stream.close()
            throw .failed(SystemError(uv: code, in: "connect"))
        }
        stream.didConnect()
        return stream
    }
}

private final class ConnectWaiter {
    let continuation: UnsafeContinuation<Int32, Never>
    init(_ continuation: UnsafeContinuation<Int32, Never>) { self.continuation = continuation }
}

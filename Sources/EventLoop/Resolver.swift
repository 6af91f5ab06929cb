internal import CUV
internal import Glibc

/// A name could not be looked up.
public struct ResolveError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name that was asked for.
    public let host: String
    /// What the resolver said (getaddrinfo(3)).
    public let cause: SystemError

    /// A failed look-up of `host`.
    public init(host: String, cause: SystemError) {
        self.host = host
        self.cause = cause
    }

    public var description: String { "\(host): \(cause)" }
}

/// Looks names up with getaddrinfo(3), on libuv's thread pool.
public enum Resolver {
    /// All addresses of `host` in the system's order of preference (RFC 6724), each with `port`; never empty.
    ///
    /// An address literal is answered without a look-up. Must be called on the loop.
    public static func resolve(
        host: String, port: UInt16, on loop: EventLoop
    ) async throws(ResolveError) -> [SocketAddress] {
        loop.checkIsolated()
        if let literal = SocketAddress(ip: host, port: port) { return [literal] }
        let lookup = Lookup()
        let code: Int32 = await withUnsafeContinuation { lookup.start(host, loop, $0) }
        if code < 0 { throw ResolveError(host: host, cause: SystemError(uv: code, in: "getaddrinfo")) }
        var addresses: [SocketAddress] = []
        for address in lookup.found where !addresses.contains(address.with(port: port)) {
            addresses.append(address.with(port: port))
        }
        guard !addresses.isEmpty else {
            throw ResolveError(host: host, cause: SystemError(uv: UV_EAI_NONAME.rawValue, in: "getaddrinfo"))
        }
        return addresses
    }
}

/// One look-up; keeps itself alive until libuv's callback.
private final class Lookup {
    private let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
    private var waiter: UnsafeContinuation<Int32, Never>?
    private(set) var found: [SocketAddress] = []

    deinit { request.deallocate() }

    func start(_ host: String, _ loop: EventLoop, _ waiter: UnsafeContinuation<Int32, Never>) {
        self.waiter = waiter
        request.pointee.data = Unmanaged.passRetained(self).toOpaque()
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        let code = uv_getaddrinfo(
            loop.uv, request,
            { request, status, list in
                let lookup = Unmanaged<Lookup>.fromOpaque(request!.pointee.data).takeRetainedValue()
                lookup.finish(status, list)
            }, host, nil, &hints)
        if code < 0 {
            Unmanaged<Lookup>.fromOpaque(request.pointee.data).release()
            finish(code, nil)
        }
    }

    private func finish(_ status: Int32, _ list: UnsafeMutablePointer<addrinfo>?) {
        var next = list
        while let entry = next {
            if let address = SocketAddress(sockaddr: entry.pointee.ai_addr) { found.append(address) }
            next = entry.pointee.ai_next
        }
        if let list { uv_freeaddrinfo(list) }
        waiter?.resume(returning: status)
        waiter = nil
    }
}

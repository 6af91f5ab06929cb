internal import CUV  // <sys/socket.h> is in this module as well, and Glibc does not show its enumerations then
internal import Glibc

/// A bound socket that does not listen yet. Closes its descriptor unless a `Listener` took it over.
///
/// `Sendable` because it is bound on one thread and then handed to one loop, which alone uses it.
public final class BoundSocket: @unchecked Sendable {
    private var descriptor: Int32
    /// What is bound, with the real port.
    public let address: SocketAddress

    init(descriptor: Int32, address: SocketAddress) {
        self.descriptor = descriptor
        self.address = address
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Gives the descriptor away, once.
    func release() -> Int32 {
        defer { descriptor = -1 }
        return descriptor
    }
}

/// Binds one address for several loops, so that each accepts for itself, while a second process that wants the same
/// address is told "address already in use".
///
/// The first socket binds without SO_REUSEPORT (so a foreign listener is noticed) and sets it afterwards, which lets
/// its siblings bind; a stranger's plain bind fails (socket(7), SO_REUSEPORT).
public enum ListenerGroup {
    /// Binds `count` sockets to `address`; port 0 picks a free one, the same for all.
    public static func bind(_ address: SocketAddress, count: Int) throws(SystemError) -> [BoundSocket] {
        let first = try bindOne(address, sharing: .afterwards)
        var sockets = [first]
        for _ in 1..<max(count, 1) {
            sockets.append(try bindOne(first.address, sharing: .before))
        }
        return sockets
    }

    private enum Sharing { case before, afterwards }

    private static func bindOne(_ address: SocketAddress, sharing: Sharing) throws(SystemError) -> BoundSocket {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.isIPv4 ? AF_INET : AF_INET6, kind, 0)
        guard descriptor >= 0 else { throw SystemError(errno: errno, in: "socket") }
        do throws(SystemError) {
            try set(descriptor, SOL_SOCKET, SO_REUSEADDR)
            if !address.isIPv4 { try set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
            if sharing == .before { try set(descriptor, SOL_SOCKET, SO_REUSEPORT) }
            let code = address.withSockaddr { pointer, length in
                Glibc.bind(descriptor, pointer.assumingMemoryBound(to: sockaddr.self), length)
            }
            if code != 0 { throw SystemError(errno: errno, in: "bind") }
            if sharing == .afterwards { try set(descriptor, SOL_SOCKET, SO_REUSEPORT) }
            let bound = socketAddress { pointer, length in
                var size = socklen_t(length.pointee)
                return getsockname(descriptor, pointer, &size)
            }
            guard let bound else { throw SystemError(errno: errno, in: "getsockname") }
            return BoundSocket(descriptor: descriptor, address: bound)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) throws(SystemError) {
        var on: Int32 = 1
        let code = setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
        if code != 0 { throw SystemError(errno: errno, in: "setsockopt") }
    }
}

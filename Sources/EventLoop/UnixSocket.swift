internal import CUV  // <sys/socket.h> is in this module as well, and Glibc does not show its enumerations then
internal import Glibc

/// A socket bound in the file system that does not listen yet (unix(7)). Closes its descriptor unless a `Listener` took
/// it over; the file is taken away by `remove` alone.
///
/// `Sendable` because it is bound on one thread and then handed to one loop, which alone uses it.
public final class BoundUnixSocket: @unchecked Sendable {
    /// Where it is bound.
    public let path: String
    private var descriptor: Int32
    private let file: (device: dev_t, inode: ino_t)

    /// Binds `path`, which only this user may connect to (mode 0600). A socket that an earlier process left there is
    /// replaced if nobody answers on it; anything else that has the name is left alone, "address already in use".
    public init(binding path: String) throws(SystemError) {
        self.path = path
        descriptor = try Self.open()
        do throws(SystemError) {
            // On Linux the file gets the mode of the descriptor: there is no moment at which others may connect.
            if fchmod(descriptor, 0o600) != 0 { throw SystemError(errno: errno, in: "fchmod") }
            if try !Self.bind(descriptor, path) {
                guard Self.isAbandoned(path), unlink(path) == 0, try Self.bind(descriptor, path) else {
                    throw SystemError(errno: EADDRINUSE, in: "bind")
                }
            }
            var status = stat()
            guard lstat(path, &status) == 0 else { throw SystemError(errno: errno, in: "stat") }
            file = (status.st_dev, status.st_ino)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Takes the file away, unless another one has its name by now.
    public func remove() {
        var status = stat()
        if lstat(path, &status) == 0, status.st_dev == file.device, status.st_ino == file.inode { unlink(path) }
    }

    /// Gives the descriptor away, once.
    func release() -> Int32 {
        defer { descriptor = -1 }
        return descriptor
    }

    /// False: the name is taken.
    private static func bind(_ descriptor: Int32, _ path: String) throws(SystemError) -> Bool {
        let code = withAddress(path) { Glibc.bind(descriptor, $0, $1) }
        if code == 0 { return true }
        if errno == EADDRINUSE { return false }
        throw SystemError(errno: errno, in: "bind")
    }

    /// A socket on which nobody listens any more.
    private static func isAbandoned(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        do throws(SystemError) {
            Glibc.close(try connect(to: path))
            return false
        } catch {
            return error.isConnectionRefused
        }
    }

    /// Whether nothing has this name, or a socket on which nobody listens any more.
    public static func isGone(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 ? errno == ENOENT : isAbandoned(path)
    }

    /// A connected descriptor. Never waits: a listener whose queue is full is an error.
    static func connect(to path: String) throws(SystemError) -> Int32 {
        let descriptor = try open()
        guard withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            let failure = SystemError(errno: errno, in: "connect")
            Glibc.close(descriptor)
            throw failure
        }
        return descriptor
    }

    private static func open() throws(SystemError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw SystemError(errno: errno, in: "socket") }
        return descriptor
    }

    /// The longest path, without the zero that ends it.
    public static let longestPath = 107

    /// A path that is too long is cut by nobody: it fails as the system says, ENAMETOOLONG.
    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        let bytes = Array(path.utf8)
        guard bytes.count <= longestPath, !bytes.contains(0) else {
            errno = ENAMETOOLONG
            return -1
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

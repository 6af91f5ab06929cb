internal import EventLoop
internal import Glibc
internal import WAFTokens

/// Ways to a token file: plain reads and stat(2), and a watch on its directory by a loop of the proxy.
enum TokenFile {
    static func access(on loop: EventLoop) -> FileTokenSource.Access {
        FileTokenSource.Access(
            read: { path, limit throws(SourceError) in try read(path, limit) },
            look: { path in
                var status = stat()
                return stat(path, &status) == 0 ? FileTokenSource.Stamp(status) : nil
            },
            watch: { path, onChange in watch(directory(of: path), onChange, on: loop) })
    }

    private static func read(
        _ path: String, _ limit: Int
    ) throws(SourceError) -> (bytes: [UInt8], stamp: FileTokenSource.Stamp) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, "open") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path, "stat") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SourceError(.internalError, "\(path) is not a regular file")
        }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count)
            }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw failure(path, "read") }
            if more == 0 { break }
            count += more
        }
        return (Array(bytes.prefix(count)), FileTokenSource.Stamp(status))
    }

    private static func failure(_ path: String, _ call: String) -> SourceError {
        SourceError(.internalError, "\(path): \(SystemError(errno: errno, in: call))")
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A directory that cannot be watched is looked at by timer alone.
    private static func watch(
        _ directory: String, _ onChange: @escaping @Sendable () -> Void, on loop: EventLoop
    ) -> (@Sendable () -> Void)? {
        let watch = DirectoryWatch()
        loop.execute { watch.begin(directory, onChange, on: loop) }
        return { loop.execute { watch.end() } }
    }
}

/// Names a watcher from any thread; only its loop looks inside.
private final class DirectoryWatch: @unchecked Sendable {
    private var watcher: DirectoryWatcher?

    func begin(_ directory: String, _ onChange: @escaping @Sendable () -> Void, on loop: EventLoop) {
        watcher = try? DirectoryWatcher(loop: loop, path: directory, onChange)
    }

    func end() {
        watcher?.close()
        watcher = nil
    }
}

extension FileTokenSource.Stamp {
    fileprivate init(_ status: stat) {
        self.init(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
            modifiedAt: .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec),
            size: Int64(status.st_size))
    }
}

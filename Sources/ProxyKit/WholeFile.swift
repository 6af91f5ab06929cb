public import EventLoop
internal import Glibc

/// A small file that is put in place whole, with its mode from the beginning.
public struct WholeFile {
    let path: String
    let mode: mode_t

    /// `mode`: permission bits, less the umask; without more words for this user alone.
    public init(path: String, mode: UInt32 = 0o600) {
        self.path = path
        self.mode = mode
    }

    /// What was found at the path.
    struct Content {
        let text: String
        /// Permission bits.
        let mode: mode_t
        let owner: uid_t
    }

    static let maximumCount = 1 << 20

    /// What the file holds; nil where there is none. A link is not followed unless `followsLinks`.
    func read(followsLinks: Bool = false) throws(SystemError) -> Content? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw SystemError(errno: errno, in: "open") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError(errno: errno, in: "fstat") }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { break }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError(errno: errno, in: "read") }
            bytes += buffer[..<count]
            guard bytes.count <= Self.maximumCount else { throw SystemError(errno: EFBIG, in: "read") }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return Content(text: text, mode: status.st_mode & 0o7777, owner: status.st_uid)
    }

    /// Puts `text` there, in the place of what was there. Whatever happens, the path holds the old or the new text and
    /// no copy of it stays. Two writers at once are the caller's to prevent.
    public func write(_ text: String) throws(SystemError) {
        let draft = path + ".new"
        unlink(draft)  // of a process that was killed
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw SystemError(errno: errno, in: "open") }
        var failure = Self.write(Array(text.utf8), to: descriptor)
        if failure == nil, fsync(descriptor) != 0 { failure = SystemError(errno: errno, in: "fsync") }
        close(descriptor)
        if failure == nil, rename(draft, path) != 0 { failure = SystemError(errno: errno, in: "rename") }
        if let failure {
            unlink(draft)
            throw failure
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> SystemError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return SystemError(errno: count == 0 ? ENOSPC : errno, in: "write") }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}

import Glibc

/// How files are read; tests put their own in its place.
struct FileAccess: Sendable {
    /// The whole content, at most `limit` bytes.
    var read: @Sendable (_ path: String, _ limit: Int) throws(FileProblem) -> [UInt8]
    /// Whether there is something at the path.
    var exists: @Sendable (_ path: String) -> Bool
    /// Whether every user of the machine may read it.
    var isReadableByAll: @Sendable (_ path: String) -> Bool = { _ in false }

    /// The real ones (open(2), read(2), access(2)).
    static let posix = reading(readFile)

    /// The same for files that were read before: a pipe gave its content away the first time, would seem empty now, and
    /// without a writer even opening it would never return.
    static let posixAgain = reading { path, limit throws(FileProblem) in try readFile(path, limit: limit, again: true) }

    private static func reading(
        _ read: @escaping @Sendable (_ path: String, _ limit: Int) throws(FileProblem) -> [UInt8]
    ) -> FileAccess {
        FileAccess(
            read: read, exists: { access($0, F_OK) == 0 },
            isReadableByAll: { path in
                var status = stat()
                return stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
            })
    }
}

/// Why a file was not read.
struct FileProblem: Error, Sendable, Equatable {
    /// Completes "cannot be read: …".
    let reason: String
}

@Sendable
private func readFile(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
    try readFile(path, limit: limit, again: false)
}

private func readFile(_ path: String, limit: Int, again: Bool) throws(FileProblem) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (again ? O_NONBLOCK : 0))
    guard descriptor >= 0 else { throw FileProblem(reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    if again, !givesTheSameAgain(descriptor) {
        throw FileProblem(reason: "a pipe or terminal is read once, at the start")
    }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count == 0 { return content }
        if count < 0 {
            if errno == EINTR { continue }
            throw FileProblem(reason: String(cString: strerror(errno)))
        }
        content += buffer[..<count]
        guard content.count <= limit else { throw FileProblem(reason: "more than \(limit) bytes") }
    }
}

/// Whether what was read before can be read once more: not so for pipes, sockets and terminals (fstat(2)).
private func givesTheSameAgain(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFIFO, S_IFSOCK: return false
    case S_IFCHR: return isatty(descriptor) == 0
    default: return true
    }
}

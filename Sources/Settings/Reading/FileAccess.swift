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
    static let posix = FileAccess(
        read: readFile, exists: { access($0, F_OK) == 0 },
        isReadableByAll: { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
        })
}

/// Why a file was not read.
struct FileProblem: Error, Sendable, Equatable {
    /// Completes "cannot be read: …".
    let reason: String
}

@Sendable
private func readFile(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileProblem(reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
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

internal import EventLoop
internal import Glibc
internal import Telemetry

/// Puts a trust kit into a folder: everything is written beside its place first, then renamed into it, `ready` last.
///
/// What goes wrong before the renames leaves the folder as it was.
public struct TrustKitFolder: Sendable {
    /// Why there is no kit.
    public struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
        /// One sentence for a person.
        public let description: String
    }

    private let path: String
    private let draftSuffix = ".draft.\(getpid())"

    public init(_ path: String) { self.path = path }

    /// Makes the folder, where it is missing, for everybody to read: nothing in it is secret.
    public func write(_ kit: TrustKit) throws(Fault) {
        do throws(Failure) {
            try makeFolder()
            do throws(Failure) {
                try writeDrafts(kit)
                try renameDrafts(kit)
            } catch {
                removeDrafts(kit)
                throw error
            }
        } catch {
            throw Fault(
                description:
                    "the trust kit cannot be written: \(Escaper.escape(error.path, limit: 500)): \(error.cause) "
                    + "(user id \(geteuid())); name a folder on a disk with room that this user may write in")
        }
    }

    private struct Failure: Error {
        let path: String
        let cause: SystemError
    }

    private func failure(_ path: String, _ call: String) -> Failure {
        Failure(path: path, cause: SystemError(errno: errno, in: call))
    }

    private func makeFolder() throws(Failure) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += made.isEmpty && !part.isEmpty ? "\(part)" : "/\(part)"
            if mkdir(made, 0o755) != 0, errno != EEXIST, made == path { throw failure(path, "mkdir") }
        }
        guard stat(path, &status) == 0 else { throw failure(path, "mkdir") }
    }

    /// The names of the files and folders that stand directly in the kit's folder.
    private func places(_ kit: TrustKit) -> [String] {
        let files = kit.files.map(\.name).filter { !$0.contains("/") }
        return (kit.files.count > files.count ? [TrustKit.hashed] : []) + files
    }

    /// `certs/1a2b3c4d.0` is drafted in the draft of the folder `certs`.
    private func draft(_ name: String) -> String {
        let parts = name.split(separator: "/")
        return "\(path)/.\(parts[0])\(draftSuffix)" + parts.dropFirst().map { "/\($0)" }.joined()
    }

    private func writeDrafts(_ kit: TrustKit) throws(Failure) {
        if kit.files.contains(where: { $0.name.contains("/") }) {
            let folder = draft(TrustKit.hashed)
            FlatFolder(folder).remove()  // left by one that was killed; process ids come again
            guard mkdir(folder, 0o755) == 0 else { throw failure(folder, "mkdir") }
        }
        for file in kit.files { try write(file.bytes, to: draft(file.name)) }
        try write([], to: draft(TrustKit.ready))
    }

    private func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path, "open") }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = failure(path, "write")
                close(descriptor)
                throw failure
            }
            rest = rest.dropFirst(count)
        }
        // Some file systems tell only now that there was no room (close(2)).
        guard close(descriptor) == 0 else { throw failure(path, "close") }
    }

    private func renameDrafts(_ kit: TrustKit) throws(Failure) {
        let ready = "\(path)/\(TrustKit.ready)"
        if unlink(ready) != 0, errno != ENOENT { throw failure(ready, "unlink") }
        for name in places(kit) + [TrustKit.ready] {
            let place = "\(path)/\(name)"
            // A folder is renamed only into the place of an empty one (rename(2)).
            if name == TrustKit.hashed { FlatFolder(place).remove() }
            guard rename(draft(name), place) == 0 else { throw failure(place, "rename") }
        }
    }

    private func removeDrafts(_ kit: TrustKit) {
        for file in kit.files { unlink(draft(file.name)) }
        unlink(draft(TrustKit.ready))
        rmdir(draft(TrustKit.hashed))
    }
}

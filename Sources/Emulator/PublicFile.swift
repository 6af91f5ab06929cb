internal import EventLoop
internal import Glibc

/// A file that everybody may read and nobody sees half of.
enum PublicFile {
    /// Writes beside the target, then renames into place (rename(2)); mode 0644.
    static func write(_ text: String, to path: String) throws(EmulatorError) {
        let temporary = "\(path).\(getpid()).tmp"
        do throws(SystemError) {
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw SystemError(errno: errno, in: "open") }
            defer { close(descriptor) }
            _ = fchmod(descriptor, 0o644)
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw SystemError(errno: errno, in: "write") }
                rest = rest.dropFirst(count)
            }
            if rename(temporary, path) != 0 { throw SystemError(errno: errno, in: "rename") }
        } catch {
            unlink(temporary)
            throw .caFile(path: path, reason: error)
        }
    }
}

internal import EventLoop
internal import Glibc

/// A folder of this process's own, mode 0700 (mkdtemp(3)), removed with the files that are named.
struct TemporaryFolder {
    let path: String

    init() throws(SystemError) {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/waf-token-proxy-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(errno: errno, in: "mkdtemp in \(base)") }
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// Removes the folder with all files in it.
    func removeAll() { FlatFolder(path).remove() }

    /// Removes the folder and the files in it; others keep it in place.
    func remove(files: [String]) {
        for file in files { unlink("\(path)/\(file)") }
        rmdir(path)
    }
}

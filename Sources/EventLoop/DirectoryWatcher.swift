internal import CUV

/// Tells when something in a directory changed (inotify(7)). Confined to its loop.
///
/// Watch the directory, not the file: a watch on a file follows the inode and misses a second rename and Kubernetes'
/// `..data` swap. A hint only: whoever needs to be sure looks at the file by timer as well.
public final class DirectoryWatcher: HandleOwner {
    private var handler: (() -> Void)?

    /// Calls `handler` after changes in `path`; several changes may be told as one.
    public init(loop: EventLoop, path: String, _ handler: @escaping () -> Void) throws(SystemError) {
        self.handler = handler
        try super.init(loop: loop, uv_fs_event_t.self, "uv_fs_event_init") { uv_fs_event_init($0, $1) }
        let code = uv_fs_event_start(
            typed(), { watcher, _, _, _ in HandleOwner.owner(DirectoryWatcher.self, of: watcher).handler?() }, path, 0)
        if code < 0 {
            close()
            throw SystemError(uv: code, in: "watch \(path)")
        }
    }

    override func didClose() { handler = nil }
}

internal import CCurl
internal import Glibc

/// Which certificates a client trusts: the system's, and those of one more file.
///
/// A hashed directory (openssl-rehash(1)) is preferred: OpenSSL then reads only the roots that a chain asks for.
/// Elsewhere the system's bundle is given as a file without a directory, which libcurl parses once per client and keeps
/// (CURLOPT_CA_CACHE_TIMEOUT). Nothing is read before the first `https` request.
final class TrustStore {
    private let extraFile: String?
    private lazy var places = findPlaces()
    private var combined: Int32 = -1

    /// Throws when `extraFile` cannot be read.
    init(extraFile: String?) throws(UpstreamError) {
        self.extraFile = extraFile
        if let extraFile, access(extraFile, R_OK) != 0 {
            throw UpstreamError(
                .internal, "The CA file \(extraFile) cannot be read: \(String(cString: strerror(errno))).")
        }
    }

    deinit {
        if combined >= 0 { close(combined) }
    }

    /// PEM file, and hashed directory, of what is trusted.
    var file: String? { places.file }
    var directory: String? { places.directory }

    func apply(to handle: EasyHandle) throws(UpstreamError) {
        try handle.set(CURLOPT_CAINFO, places.file)
        try handle.set(CURLOPT_CAPATH, places.directory)
        try handle.set(CURLOPT_PROXY_CAINFO, places.file)
        try handle.set(CURLOPT_PROXY_CAPATH, places.directory)
    }

    private func findPlaces() -> (file: String?, directory: String?) {
        if let directory = SystemRoots.directories.first(where: Self.isHashed) { return (extraFile, directory) }
        guard let bundle = SystemRoots.bundle else { return (extraFile, nil) }
        guard let extraFile else { return (bundle, nil) }
        combined = Self.temporaryFile()
        guard combined >= 0, Self.copy(bundle, to: combined), Self.copy(extraFile, to: combined) else {
            return (extraFile, nil)
        }
        return ("/proc/self/fd/\(combined)", nil)
    }

    /// A file without a name, gone when it is closed.
    private static func temporaryFile() -> Int32 {
        var path = Array("/tmp/waf-token-proxy-ca.XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return -1 }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Whether the directory holds links like `4042bcee.0`.
    private static func isHashed(_ path: String) -> Bool {
        var found = glob_t()
        defer { globfree(&found) }
        return glob(path + "/????????.0", GLOB_NOSORT, nil, &found) == 0
    }

    private static func copy(_ path: String, to target: Int32) -> Bool {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { return false }
        defer { close(source) }
        return withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { buffer in
            while true {
                let count = read(source, buffer.baseAddress!, buffer.count)
                if count == 0 { return write(target, "\n", 1) == 1 }
                if count < 0 || write(target, buffer.baseAddress!, count) != count { return false }
            }
        }
    }
}

public import EventLoop
internal import Glibc
public import Telemetry

/// The file in which a running proxy leaves its admin token for the command line of the same user.
///
/// One file for each admin address, `$XDG_RUNTIME_DIR/waf-token-proxy/admin-ADDRESS.token` or, where that is not set or
/// cannot be written, `/tmp/waf-token-proxy-UID/…`. The folder is ours alone (0700), the file is created 0600. Files of
/// proxies that were killed go when the next one starts.
public struct AdminTokenFile: Sendable {
    /// Why there is no file.
    public struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
        /// One sentence part for a person.
        public let description: String
    }

    /// Where it is.
    public let path: String

    /// Puts `token` there, in the place of what an earlier proxy left.
    public static func write(
        _ token: Redacted<[UInt8]>, for address: ListeningAddress, folders: [String] = AdminTokenFile.folders()
    ) throws(Fault) -> AdminTokenFile {
        var first: Fault?
        for folder in folders {
            do throws(Fault) {
                return try write(token, named: name(for: address), in: folder)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? Fault(description: "there is no folder for it")
    }

    /// The token of the proxy whose admin address this is; nil where there is none. A listener on every address is met
    /// under any.
    public static func read(
        for address: ListeningAddress, folders: [String] = AdminTokenFile.folders()
    ) -> Redacted<[UInt8]>? {
        let every = ["0.0.0.0", "::"].compactMap { any in address.ip.flatMap { SocketAddress(ip: any, port: $0.port) } }
        for address in [address] + every.map(ListeningAddress.ip) {
            for folder in folders {
                if check(folder) == nil, let token = read("\(folder)/\(name(for: address))") { return token }
            }
        }
        return nil
    }

    /// Takes it away. While the address is still bound nobody else writes there.
    public func remove() { unlink(path) }

    /// Folders in the order in which they are tried.
    public static func folders() -> [String] {
        var folders: [String] = []
        if let runtime = getenv("XDG_RUNTIME_DIR"), runtime.pointee == UInt8(ascii: "/") {
            folders.append(String(cString: runtime) + "/waf-token-proxy")
        }
        return folders + ["/tmp/waf-token-proxy-\(geteuid())"]
    }

    /// Slashes of a path stand in it as `%2F`.
    static func name(for address: ListeningAddress) -> String {
        let text = "\(address)".flatMap { character in
            switch character {
            case "%": "%25"
            case "/": "%2F"
            default: String(character)
            }
        }
        return "admin-\(String(text)).token"
    }

    private static let maximumCount = 8192

    private static func write(
        _ token: Redacted<[UInt8]>, named name: String, in folder: String
    ) throws(Fault) -> AdminTokenFile {
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw fault(folder, "mkdir") }
        if let fault = check(folder) { throw fault }
        let path = "\(folder)/\(name)"
        let draft = "\(folder)/.\(name).\(getpid())"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw fault(draft, "open") }
        let bytes = token.reveal() + [UInt8(ascii: "\n")]
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let failure = count == bytes.count ? nil : fault(draft, "write")
        close(descriptor)
        if let failure {
            unlink(draft)
            throw failure
        }
        guard rename(draft, path) == 0 else {
            let failure = fault(path, "rename")
            unlink(draft)
            throw failure
        }
        removeStale(in: folder)
        return AdminTokenFile(path: path)
    }

    /// Nil where the folder is a real one, ours, and nobody else may write in it.
    private static func check(_ folder: String) -> Fault? {
        var status = stat()
        guard lstat(folder, &status) == 0 else { return fault(folder, "stat") }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            return Fault(description: "\(Escaper.escape(folder)) is not a folder that only this user can write in")
        }
        return nil
    }

    private static func read(_ path: String) -> Redacted<[UInt8]>? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximumCount + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let token = bytes[..<count].prefix { $0 > 0x20 && $0 < 0x7f }
        return token.isEmpty ? nil : Redacted(Array(token))
    }

    private static func fault(_ path: String, _ call: String) -> Fault {
        Fault(description: "\(Escaper.escape(path)): \(SystemError(errno: errno, in: call))")
    }
}

internal import EventLoop
internal import Glibc

extension AdminTokenFile {
    /// Younger files are left alone: their proxy may be on its way between binding and listening.
    private static let leastAge = 60

    /// Takes away what proxies left that were killed: files of this user whose address nobody listens on.
    static func removeStale(in folder: String) {
        guard let listing = opendir(folder) else { return }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
                })
        }
        for name in names {
            guard let address = address(named: name), isOld("\(folder)/\(name)"), !isTaken(address) else { continue }
            unlink("\(folder)/\(name)")
        }
    }

    /// The address in a file's name; nil for any other file.
    private static func address(named name: String) -> ListeningAddress? {
        guard name.hasPrefix("admin-"), name.hasSuffix(".token") else { return nil }
        let text = name.dropFirst("admin-".count).dropLast(".token".count)
        if text.hasPrefix("unix:") {
            let path = text.dropFirst("unix:".count).replacing("%2F", with: "/").replacing("%25", with: "%")
            return .unix(path: String(path))
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        let ip = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host
        return SocketAddress(ip: String(ip), port: port).map { .ip($0) }
    }

    private static func isOld(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_uid == geteuid() else { return false }
        return time(nil) - status.st_mtim.tv_sec > leastAge
    }

    /// What cannot be told counts as taken.
    private static func isTaken(_ address: ListeningAddress) -> Bool {
        switch address {
        case .unix(let path): return !BoundUnixSocket.isGone(path)
        case .ip(let address):
            do throws(SystemError) {
                _ = try ListenerGroup.bind(address, count: 1)
                return false
            } catch {
                return true
            }
        }
    }
}

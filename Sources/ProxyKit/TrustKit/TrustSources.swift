internal import Glibc
public import TLS
internal import Telemetry
internal import Upstream

/// What clients of this machine trust already: the system's roots and the files that variables name.
public struct TrustSources: Sendable {
    /// In the order in which they were found; some may be there twice.
    public private(set) var certificates: [Certificate] = []
    /// wget's settings for the whole system.
    public private(set) var wgetrc = ""
    /// Sentences about what could not be read.
    public private(set) var warnings: [String] = []

    private static let maximumBytes = 16 << 20

    /// Reads the files. One that cannot be read is a warning: the client did not get further with it, either.
    public init(environment: [String: String]) {
        if let system = SystemRoots.bundle {
            add(system, "the system's roots")
        } else {
            warnings.append("no roots of the system were found; install ca-certificates")
        }
        var seen: Set<String> = [""]
        for name in ClientVariables.bundleNames + [ClientVariables.nodeName] {
            let path = environment[name] ?? ""
            if seen.insert(path).inserted { add(path, name) }
        }
        let path = environment["SYSTEM_WGETRC"] ?? "/etc/wgetrc"
        if let bytes = try? Self.read(path) {
            wgetrc = String(decoding: bytes, as: UTF8.self)
            if !wgetrc.isEmpty, !wgetrc.hasSuffix("\n") { wgetrc += "\n" }
        }
    }

    private mutating func add(_ path: String, _ what: String) {
        let shown = "\(what) (\(Escaper.escape(path, limit: 500)))"
        do {
            certificates += try Certificate.chain(pem: String(decoding: try Self.read(path), as: UTF8.self))
        } catch let error as Unreadable {
            warnings.append("\(shown) cannot be read and is left out: \(error.reason)")
        } catch {
            warnings.append("\(shown) is left out: it is not a file of certificates in PEM")
        }
    }

    private struct Unreadable: Error {
        let reason: String
    }

    private static func read(_ path: String) throws(Unreadable) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Unreadable(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Unreadable(reason: String(cString: strerror(errno))) }
            if count == 0 { return content }
            content += buffer[..<count]
            guard content.count <= maximumBytes else { throw Unreadable(reason: "more than 16 MiB") }
        }
    }
}

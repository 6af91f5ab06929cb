import Foundation
import Glibc
import Telemetry

/// A directory for one test, gone with it.
final class Scratch: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/upstream-test.XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) -> String {
        let file = "\(path)/\(name)"
        _ = FileManager.default.createFile(atPath: file, contents: Data(text.utf8))
        return file
    }
}

/// A program under test's hand, killed with the object. (Foundation's `Process` leaks, which the sanitizer reports.)
final class Program: Sendable {
    private let id: pid_t
    private let input: Int32
    private let status = Lock<Int32?>(nil)

    /// Starts `arguments[0]`, looked up in the usual places; what it prints is dropped.
    init(_ arguments: [String], in directory: String) throws {
        guard let path = Self.path(arguments[0]) else { throw Failed(arguments: arguments) }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failed(arguments: arguments) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let words = ["sh", "-c", "cd \"$0\" && exec \"$@\"", directory, path] + arguments.dropFirst()
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        // A group of its own, so that what the program starts (nginx's workers) ends with it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var id = pid_t()
        guard posix_spawn(&id, "/bin/sh", &actions, &attributes, copies + [nil], environ) == 0 else {
            close(ends[1])
            throw Failed(arguments: arguments)
        }
        self.id = id
        input = ends[1]
    }

    deinit {
        kill()
        close(input)
    }

    func write(_ text: String) { _ = Glibc.write(input, text, text.utf8.count) }

    func kill() {
        if status.withLock({ $0 }) == nil { Glibc.kill(-id, SIGKILL) }
        _ = wait()
    }

    /// Waits for its end; the wait status (waitpid(2)).
    private func wait() -> Int32 {
        status.withLock { status in
            if let status { return status }
            var result: Int32 = -1
            while waitpid(id, &result, 0) < 0, errno == EINTR {}
            status = result
            return result
        }
    }

    static func path(_ name: String) -> String? {
        ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/bin/"]
            .map { $0 + name }.first { access($0, X_OK) == 0 }
    }

    /// Runs a program to its end.
    static func run(_ arguments: [String], in directory: String) throws {
        let program = try Program(arguments, in: directory)
        guard program.wait() == 0 else { throw Failed(arguments: arguments) }
    }

    struct Failed: Error { let arguments: [String] }
}

/// A port that is free and stays so until somebody asks for it by number: it lies below those that the kernel gives to
/// who asks for any (`ip_local_port_range`, ip(7)), and this process gives it once.
func freePort() -> UInt16 {
    while true {
        let port = UInt16.random(in: 20_000..<32_768)
        guard givenPorts.withLock({ $0.insert(port).inserted }) else { continue }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return port }
    }
}

private let givenPorts = Lock<Set<UInt16>>([])

private func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
}

/// Waits until something listens on a loopback port.
func waitForPort(_ port: UInt16) -> Bool {
    for _ in 0..<500 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return true }
        usleep(10_000)
    }
    return false
}

/// A throw-away authority and a server certificate for `localhost` and 127.0.0.1 (openssl(1)).
struct TestCertificates {
    let directory: Scratch
    var ca: String { "\(directory.path)/ca.pem" }
    var certificate: String { "\(directory.path)/leaf.pem" }
    var key: String { "\(directory.path)/leaf.key" }

    init(in directory: Scratch, days: String = "2") throws {
        self.directory = directory
        let path = directory.path
        func openssl(_ arguments: String) throws {
            try Program.run(["openssl"] + arguments.split(separator: " ").map(String.init), in: path)
        }
        try openssl(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test-ca -keyout ca.key -out ca.pem"
        )
        try openssl(
            "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -keyout leaf.key -out leaf.csr"
        )
        _ = directory.write("ext", "subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        try openssl(
            "x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days \(days) -extfile ext -out leaf.pem")
    }
}

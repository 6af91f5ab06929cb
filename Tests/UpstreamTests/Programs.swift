import Foundation
import Glibc

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

/// A program under test's hand, killed with the object.
final class Program: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()

    /// Starts `arguments[0]`, looked up in the usual places.
    init(_ arguments: [String], in directory: String) throws {
        process.executableURL = URL(fileURLWithPath: Self.path(arguments[0])!)
        process.arguments = Array(arguments.dropFirst())
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { kill() }

    func write(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }

    func kill() {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    static func path(_ name: String) -> String? {
        ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/bin/"]
            .map { $0 + name }.first { access($0, X_OK) == 0 }
    }

    static func isThere(_ names: String...) -> Bool { names.allSatisfy { path($0) != nil } }

    /// Runs a program to its end.
    static func run(_ arguments: [String], in directory: String) throws {
        let program = try Program(arguments, in: directory)
        program.process.waitUntilExit()
        guard program.process.terminationStatus == 0 else { throw Failed(arguments: arguments) }
    }

    struct Failed: Error { let arguments: [String] }
}

/// A port that was free a moment ago.
func freePort() -> UInt16 {
    let server = RawServer { _ in }
    defer { server.stop() }
    return server.port
}

/// Waits until something listens on a loopback port.
func waitForPort(_ port: UInt16) -> Bool {
    for _ in 0..<500 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
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

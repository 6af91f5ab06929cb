import Foundation
import Testing

@testable import Settings

@Suite struct FileAccessTests {
    @Test func `real files are read whole, up to the limit`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID()).txt").path
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        try content.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(FileAccess.posix.exists(path))
        #expect(try FileAccess.posix.read(path, 200_000) == Array(content))
        #expect(throws: FileProblem(reason: "more than 100000 bytes")) { try FileAccess.posix.read(path, 100_000) }
    }

    @Test func `what is missing or a directory says so`() {
        #expect(!FileAccess.posix.exists("/none/such"))
        #expect(throws: FileProblem(reason: "No such file or directory")) { try FileAccess.posix.read("/none/such", 1) }
        #expect(throws: FileProblem(reason: "Is a directory")) { try FileAccess.posix.read("/", 1) }
    }

    @Test func `what cannot be read twice is refused the second time, without waiting for it`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID()).pipe").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let refusal = FileProblem(reason: "a pipe or terminal is read once, at the start")
        #expect(throws: refusal) { try FileAccess.posixAgain.read(path, 100) }
        let pipe = Pipe()  // as `--config <(…)` gives it: written and at its end
        pipe.fileHandleForWriting.write(Data("via: true".utf8))
        try pipe.fileHandleForWriting.close()
        let name = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        #expect(throws: refusal) { try FileAccess.posixAgain.read(name, 100) }
        #expect(try FileAccess.posix.read(name, 100) == Array("via: true".utf8))
        #expect(try FileAccess.posixAgain.read("/dev/null", 100) == [])
        #expect(try FileAccess.posixAgain.read("/proc/self/status", 100_000).count > 100)
    }

    @Test func `the environment of this process is there`() {
        #expect(ProcessEnvironment.current()["PATH"] == ProcessInfo.processInfo.environment["PATH"])
    }
}

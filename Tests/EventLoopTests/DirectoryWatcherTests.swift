import EventLoop
import Foundation
import Testing

@Suite struct DirectoryWatcherTests {
    @Test("every replacement of a file by rename is told, the second one too")
    func renames() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await onLoop { loop in
            nonisolated(unsafe) var told: CheckedContinuation<Void, Never>?
            let watcher = try DirectoryWatcher(loop: loop, path: folder.path) {
                told?.resume()
                told = nil
            }
            for round in 0..<3 {
                await withCheckedContinuation { continuation in
                    told = continuation
                    let new = folder.appending(path: "new")
                    try? Data("token-\(round)".utf8).write(to: new)
                    rename(new.path, folder.appending(path: "token").path)
                }
            }
            watcher.close()
        }
    }

    @Test("a directory that does not exist is an error that names it")
    func missing() async throws {
        let error = try await onLoop { loop in
            do throws(SystemError) {
                _ = try DirectoryWatcher(loop: loop, path: "/no/such/directory") {}
                return nil as SystemError?
            } catch {
                return error
            }
        }
        #expect(error?.call == "watch /no/such/directory")
    }
}

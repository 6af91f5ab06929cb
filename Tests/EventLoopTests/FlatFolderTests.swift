import Foundation
import Testing

@testable import EventLoop

@Suite struct FlatFolderTests {
    @Test func `it goes with its files, and a folder that is not there is no fault`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "flat-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["a", ".hidden", "with blanks"] { try Data().write(to: folder.appending(path: name)) }
        FlatFolder(folder.path).remove()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        FlatFolder(folder.path).remove()
    }

    @Test func `what is no file stays`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "flat-\(UUID().uuidString)")
        let inner = folder.appending(path: "inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        FlatFolder(folder.path).remove()
        #expect(FileManager.default.fileExists(atPath: inner.path))
    }
}

import Foundation
import TLS
import Testing

@testable import ProxyKit

/// What becomes of a kit that cannot be written.
@Suite struct TrustKitFolderTests {
    private func kit() throws -> TrustKit { try TrustKit(authority: [makeRoot()], others: [], folder: "/kit") }

    private func fault(writing kit: TrustKit, to path: String) -> String? {
        do throws(TrustKitFolder.Fault) {
            try TrustKitFolder(path).write(kit)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `a place where no folder can be made is named, with the user and what to do`() throws {
        let fault = try #require(try fault(writing: kit(), to: "/proc/kit"))
        #expect(fault.hasPrefix("the trust kit cannot be written: /proc/kit: mkdir: "))
        #expect(fault.contains("(user id \(geteuid()))"))
        #expect(fault.hasSuffix("name a folder on a disk with room that this user may write in"))
        #expect(!fault.contains("\n"))
    }

    @Test func `a file in the folder's place is no folder`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "file")
            try Data("mine".utf8).write(to: file)
            #expect(try fault(writing: kit(), to: file.path)?.contains("not a directory") == true)
            #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
        }
    }

    @Test func `what fails on the way leaves the folder as it was`() throws {
        try withFolder { folder in
            #expect(try fault(writing: kit(), to: folder.path) == nil)
            let before = try Data(contentsOf: folder.appending(path: "bundle.pem"))
            // Something that is no file stands where a draft would.
            let obstacle = folder.appending(path: ".wgetrc.draft.\(getpid())")
            try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
            #expect(try fault(writing: kit(), to: folder.path)?.contains("file already exists") == true)
            try FileManager.default.removeItem(at: obstacle)
            #expect(try Data(contentsOf: folder.appending(path: "bundle.pem")) == before)
            #expect(FileManager.default.fileExists(atPath: folder.path + "/ready"))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.allSatisfy { !$0.contains("draft") })
        }
    }
}

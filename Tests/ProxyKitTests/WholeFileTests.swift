import EventLoop
import Foundation
import Testing

@testable import ProxyKit

@Suite struct WholeFileTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("What is written comes back, with the mode from the beginning, and nothing stays beside it")
    func written() throws {
        try inFolder { base in
            let file = WholeFile(path: base + "/secret")
            #expect(try file.read() == nil)
            try file.write("one\n")
            try file.write("two\n")
            let content = try #require(try file.read())
            #expect(content.text == "two\n" && content.mode == 0o600 && content.owner == geteuid())
            try WholeFile(path: base + "/public", mode: 0o644).write("all\n")
            #expect(try mode(base + "/public") == 0o644)
            #expect(try FileManager.default.contentsOfDirectory(atPath: base).sorted() == ["public", "secret"])
        }
    }

    @Test("A link is replaced, not written through, and read only where that is wanted")
    func link() throws {
        try inFolder { base in
            try "precious\n".write(toFile: base + "/target", atomically: false, encoding: .utf8)
            try FileManager.default.createSymbolicLink(atPath: base + "/link", withDestinationPath: base + "/target")
            let file = WholeFile(path: base + "/link")
            #expect(throws: SystemError.self) { try file.read() }
            #expect(try file.read(followsLinks: true)?.text == "precious\n")
            try file.write("new\n")
            #expect(try file.read()?.text == "new\n")
            #expect(try String(contentsOfFile: base + "/target", encoding: .utf8) == "precious\n")
        }
    }

    @Test("Where it cannot be put in place, the old one stays and no draft does")
    func failed() throws {
        try inFolder { base in
            try FileManager.default.createDirectory(atPath: base + "/x/full", withIntermediateDirectories: true)
            #expect(throws: SystemError(errno: EISDIR, in: "rename")) { try WholeFile(path: base + "/x").write("new") }
            #expect(throws: SystemError(errno: ENOENT, in: "open")) { try WholeFile(path: base + "/y/z").write("new") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: base) == ["x"])
        }
    }

    @Test("A file that is far too large is not read, and a pipe without a writer does not block")
    func odd() throws {
        try inFolder { base in
            try WholeFile(path: base + "/large").write(String(repeating: "x", count: WholeFile.maximumCount + 1))
            #expect(throws: SystemError(errno: EFBIG, in: "read")) { try WholeFile(path: base + "/large").read() }
            #expect(mkfifo(base + "/pipe", 0o600) == 0)
            #expect(try WholeFile(path: base + "/pipe").read()?.text == "")
        }
    }
}

import EventLoop
import Foundation
import Testing
import WAFTokens

@testable import ProxyKit

@Suite struct TokenFileTests {
    private func withAccess(_ body: (FileTokenSource.Access, EventLoop) async throws -> Void) async throws {
        let loop = try EventLoop(name: "token-file")
        loop.start()
        defer { loop.stop() }
        try await body(TokenFile.access(on: loop), loop)
    }

    private func refusal(_ access: FileTokenSource.Access, _ path: String) -> String? {
        do throws(SourceError) {
            _ = try access.read(path, 10)
            return nil
        } catch {
            return error.code == .internalError ? error.detail : "\(error)"
        }
    }

    @Test("a file is read up to one byte over the limit, with the stamp that a look at it gives")
    func read() async throws {
        try await withAccess { access, _ in
            try inFolder { base in
                let path = base + "/token"
                for (text, expected) in [("", ""), ("0123456789", "0123456789"), ("0123456789ABC", "0123456789A")] {
                    try text.write(toFile: path, atomically: false, encoding: .utf8)
                    let (bytes, stamp) = try access.read(path, 10)
                    #expect(String(decoding: bytes, as: UTF8.self) == expected)
                    #expect(stamp.size == text.utf8.count && stamp == access.look(path))
                }
            }
        }
    }

    @Test("a link is followed, and what it leads to is what the stamp is of")
    func link() async throws {
        try await withAccess { access, _ in
            try inFolder { base in
                let (target, link) = (base + "/target", base + "/link")
                try "one".write(toFile: target, atomically: false, encoding: .utf8)
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
                #expect(try access.read(link, 10).bytes == Array("one".utf8))
                #expect(access.look(link) == access.look(target))
            }
        }
    }

    @Test("what is missing or no regular file is an error that names it; a pipe without a writer does not block")
    func refused() async throws {
        try await withAccess { access, _ in
            try inFolder { base in
                #expect(access.look(base + "/missing") == nil)
                let missing = try #require(refusal(access, base + "/missing"))
                #expect(missing.hasPrefix(base + "/missing: ") && missing.contains("open"))
                #expect(refusal(access, base) == "\(base) is not a regular file")
                #expect(mkfifo(base + "/pipe", 0o600) == 0)
                #expect(refusal(access, base + "/pipe") == "\(base)/pipe is not a regular file")
            }
        }
    }

    @Test("a file that comes by rename is told of, though there was none when the watch began")
    func watched() async throws {
        try await withAccess { access, loop in
            try await inFolder { base in
                let (changes, change) = AsyncStream.makeStream(of: Void.self)
                let stop = try #require(access.watch(base + "/token") { change.yield() })
                await loop.run {}  // the watch began before this
                try "one".write(toFile: base + "/new", atomically: false, encoding: .utf8)
                #expect(rename(base + "/new", base + "/token") == 0)
                var iterator = changes.makeAsyncIterator()
                #expect(await iterator.next() != nil)
                stop()
            }
        }
    }

    @Test("a directory that cannot be watched is no error: the timer's look remains")
    func unwatchable() async throws {
        try await withAccess { access, loop in
            let stop = try #require(access.watch("/no/such/directory/token") {})
            await loop.run {}
            stop()
            await loop.run {}
            #expect(access.look("/no/such/directory/token") == nil)
        }
    }
}

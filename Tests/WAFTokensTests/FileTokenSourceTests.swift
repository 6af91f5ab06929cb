import Telemetry
import Testing

@testable import WAFTokens

struct FileTokenSourceTests {
    /// One file that the test replaces.
    private final class Disk: Sendable {
        private struct State {
            var content: String?
            var inode: UInt64 = 1
            var reads = 0
            var onChange: (@Sendable () -> Void)?
        }
        private let state = Lock(State())

        var reads: Int { state.withLock { $0.reads } }

        func replace(_ content: String?) {
            state.withLock {
                $0.content = content; $0.inode += 1
            }
        }

        func notify() { state.withLock { $0.onChange }?() }

        private func stamp(_ state: State) -> FileTokenSource.Stamp? {
            guard let content = state.content else { return nil }
            return FileTokenSource.Stamp(
                device: 1, inode: state.inode, modifiedAt: .seconds(state.inode), size: Int64(content.utf8.count))
        }

        var access: FileTokenSource.Access {
            FileTokenSource.Access(
                read: { [self] _, limit throws(SourceError) in
                    let found = state.withLock { state in
                        state.reads += 1
                        return stamp(state).map { (Array((state.content ?? "").utf8.prefix(limit + 1)), $0) }
                    }
                    guard let found else { throw SourceError(.internalError, "no such file") }
                    return (bytes: found.0, stamp: found.1)
                },
                look: { [self] _ in state.withLock { stamp($0) } },
                watch: { [self] _, onChange in
                    state.withLock { $0.onChange = onChange }
                    return { [self] in state.withLock { $0.onChange = nil } }
                })
        }
    }

    private let request = SourceRequest(domainName: "shop.test")

    @Test("The file's content is the token and its modification time the acquisition time")
    func reads() async throws {
        let disk = Disk()
        disk.replace("abc\n")
        let answer = try await FileTokenSource(path: "/t", access: disk.access).fetch(request)
        #expect(answer.token.getValue() == "abc")
        #expect(answer.acquiredAt == .seconds(2))
        #expect(answer.expiresIn == nil)
    }

    @Test("A missing, empty or too long file is a failure")
    func unreadable() async {
        let disk = Disk()
        let source = FileTokenSource(path: "/t", access: disk.access)
        await #expect(throws: SourceError(.internalError, "")) { try await source.fetch(request) }
        disk.replace("")
        await #expect(throws: SourceError(.invalidVerifyChallengeResponse, "")) { try await source.fetch(request) }
        disk.replace(String(repeating: "a", count: 70_000))
        await #expect(throws: SourceError(.invalidVerifyChallengeResponse, "")) { try await source.fetch(request) }
    }

    @Test("A replaced file has changed until it is read, and a file that came or went has, too")
    func changes() async throws {
        let disk = Disk()
        let source = FileTokenSource(path: "/t", access: disk.access)
        _ = try? await source.fetch(request)
        #expect(!source.hasChanged())
        disk.replace("abc")
        #expect(source.hasChanged())
        _ = try await source.fetch(request)
        #expect(!source.hasChanged())
        disk.replace("abd")
        #expect(source.hasChanged())
        _ = try await source.fetch(request)
        disk.replace(nil)
        #expect(source.hasChanged())
    }

    @Test("Changes of other files in the directory are passed over")
    func otherFiles() async throws {
        let disk = Disk()
        disk.replace("abc")
        let source = FileTokenSource(path: "/t", access: disk.access)
        _ = try await source.fetch(request)
        let calls = Lock(0)
        let end = source.observe { calls.withLock { $0 += 1 } }
        disk.notify()
        #expect(calls.withLock { $0 } == 0)
        disk.replace("abd")
        disk.notify()
        #expect(calls.withLock { $0 } == 1)
        end?()
        disk.notify()
        #expect(calls.withLock { $0 } == 1)
    }

    @Test("static and file tokens have no end of their own")
    func noExpiry() async throws {
        #expect(FileTokenSource(path: "/t", access: Disk().access).defaultImmunity == nil)
        let source = StaticTokenSource(try WAFToken("abc"))
        #expect(source.defaultImmunity == nil)
        #expect(try await source.fetch(request).token.getValue() == "abc")
    }
}

import Foundation
import Testing

@testable import EventLoop

@Suite struct UnixSocketTests {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/wtp-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test("bytes go both ways; the file is for this user alone and goes when it is told to")
    func exchange() async throws {
        try await inFolder { folder in
            let loop = try EventLoop(name: "unix")
            loop.start()
            defer { loop.stop() }
            let path = folder + "/s"
            let socket = try BoundUnixSocket(binding: path)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            let answer: Result<String, StreamError> = await loop.run {
                do throws(StreamError) {
                    let listener: Listener
                    do throws(SystemError) {
                        listener = try Listener(loop: loop, socket: socket) { stream in
                            nonisolated(unsafe) let stream = stream
                            loop.spawn {
                                _ = try? await stream.receive()
                                stream.send(Array("re: ".utf8) + stream.inbound.withUnsafeBufferPointer { Array($0) })
                                try? await stream.finishSending()
                                stream.close()
                            }
                        }
                    } catch { throw .failed(error) }
                    defer { listener.close() }
                    let stream = try await Stream.connect(to: .unix(path: path), on: loop, timeout: .seconds(60))
                    defer { stream.close() }
                    stream.send(Array("hello".utf8))
                    while try await stream.receive(within: .seconds(60)) {}
                    return .success(stream.inbound.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
                } catch {
                    return .failure(error)
                }
            }
            #expect(try answer.get() == "re: hello")
            socket.remove()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("a socket that nobody listens on is replaced, one that answers and any other file is left alone")
    func taken() async throws {
        try await inFolder { folder in
            let path = folder + "/s"
            let first = try BoundUnixSocket(binding: path)
            // Bound, but nobody listens: what a process that was killed leaves.
            let second = try BoundUnixSocket(binding: path)
            first.remove()
            #expect(FileManager.default.fileExists(atPath: path), "the file is the second one's by now")
            let loop = try EventLoop(name: "unix")
            loop.start()
            defer { loop.stop() }
            try await loop.run { () -> Result<Void, SystemError> in
                do throws(SystemError) {
                    _ = try Listener(loop: loop, socket: second) { $0.close() }
                    return .success(())
                } catch { return .failure(error) }
            }.get()
            let inUse = SystemError(errno: EADDRINUSE, in: "bind")
            #expect(throws: inUse) { try BoundUnixSocket(binding: path) }
            try Data("x".utf8).write(to: URL(filePath: folder + "/file"))
            #expect(throws: inUse) { try BoundUnixSocket(binding: folder + "/file") }
            #expect(try String(contentsOfFile: folder + "/file", encoding: .utf8) == "x")
        }
    }

    @Test("a path that cannot be is said as the system says it")
    func impossible() {
        #expect(throws: SystemError(errno: ENOENT, in: "bind")) { try BoundUnixSocket(binding: "/nowhere-at-all/s") }
        let long = "/tmp/" + String(repeating: "x", count: 110)
        #expect(throws: SystemError(errno: ENAMETOOLONG, in: "bind")) { try BoundUnixSocket(binding: long) }
    }
}

import EventLoop
import Foundation
import ProxyKit
import Telemetry
import Testing

@Suite struct AdminTokenFileTests {
    private let address = ListeningAddress.ip(SocketAddress(ip: "127.0.0.1", port: 8081)!)

    private func inFolder(_ body: (String) throws -> Void) throws {
        let base = FileManager.default.temporaryDirectory.path + "/waf-token-proxy-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: base, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: base) }
        try body(base)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func write(_ token: String, _ address: ListeningAddress, _ folders: [String]) throws -> AdminTokenFile {
        try AdminTokenFile.write(Redacted(Array(token.utf8)), for: address, folders: folders)
    }

    private func read(_ address: ListeningAddress, _ folders: [String]) -> String? {
        AdminTokenFile.read(for: address, folders: folders).map { String(decoding: $0.reveal(), as: UTF8.self) }
    }

    @Test("the file is for this user alone, one for each address, and goes again")
    func file() throws {
        try inFolder { base in
            let folder = base + "/new"
            let other = ListeningAddress.ip(try #require(SocketAddress(ip: "::1", port: 8081)))
            let file = try write("one", address, [folder])
            _ = try write("two", other, [folder])
            #expect(try mode(folder) == 0o700)
            #expect(try mode(file.path) == 0o600)
            #expect(read(address, [folder]) == "one")
            #expect(read(other, [folder]) == "two")
            let again = try write("three", address, [folder])
            #expect(again.path == file.path && read(address, [folder]) == "three")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
            file.remove()
            #expect(read(address, [folder]) == nil)
            #expect(read(other, [folder]) == "two")
        }
    }

    @Test("what a killed proxy left goes with the next start, what belongs to a running one stays")
    func stale() throws {
        try inFolder { base in
            let running = try ListenerGroup.bind(try #require(SocketAddress(ip: "127.0.0.1", port: 0)), count: 1)[0]
            let gone = try ListenerGroup.bind(try #require(SocketAddress(ip: "::1", port: 0)), count: 1)[0].address
            let loop = try EventLoop(name: "admin")
            loop.start()
            defer { loop.stop() }
            let listening = DispatchSemaphore(value: 0)
            loop.execute {
                nonisolated(unsafe) let listener = try? Listener(loop: loop, socket: running) { $0.close() }
                withExtendedLifetime(listener) { _ = listening.signal() }
                loop.execute { withExtendedLifetime(listener) {} }
            }
            listening.wait()
            let (taken, free) = (ListeningAddress.ip(running.address), ListeningAddress.ip(gone))
            let noSocket = ListeningAddress.unix(path: "/nowhere/s%2F")
            for address in [taken, free, noSocket] { _ = try write("old", address, [base]) }
            #expect(FileManager.default.createFile(atPath: "\(base)/admin-other.token", contents: nil))
            let old = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -3600)]
            for name in try FileManager.default.contentsOfDirectory(atPath: base) {
                try FileManager.default.setAttributes(old, ofItemAtPath: "\(base)/\(name)")
            }
            _ = try write("new", address, [base])
            #expect(read(taken, [base]) == "old")
            #expect(read(free, [base]) == nil && read(noSocket, [base]) == nil && read(address, [base]) == "new")
            #expect(FileManager.default.fileExists(atPath: "\(base)/admin-other.token"))
        }
    }

    @Test("a listener on every address is found under each")
    func everyAddress() throws {
        try inFolder { base in
            _ = try write("all", .ip(try #require(SocketAddress(ip: "0.0.0.0", port: 8081))), [base])
            #expect(read(address, [base]) == "all")
            #expect(read(.ip(try #require(SocketAddress(ip: "127.0.0.1", port: 8082))), [base]) == nil)
        }
    }

    @Test("a unix socket has a file of its own, whatever its path")
    func unixSocket() throws {
        try inFolder { base in
            let file = try write("one", .unix(path: "/run/a/b.sock"), [base])
            _ = try write("two", .unix(path: "/run/a%2Fb.sock"), [base])
            #expect(file.path == "\(base)/admin-unix:%2Frun%2Fa%2Fb.sock.token")
            #expect(read(.unix(path: "/run/a/b.sock"), [base]) == "one")
            #expect(read(.unix(path: "/run/a%2Fb.sock"), [base]) == "two")
        }
    }

    @Test("a folder in which others may write, or that is a link, is not used; the next one is")
    func folders() throws {
        try inFolder { base in
            let (open, link, good) = (base + "/open", base + "/link", base + "/good")
            try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open)
            try FileManager.default.createDirectory(atPath: base + "/target", withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: base + "/target")
            for bad in [open, link, base + "/missing/deeper"] {
                #expect(throws: AdminTokenFile.Fault.self) { try write("x", address, [bad]) }
            }
            let file = try write("x", address, [open, link, good])
            #expect(file.path.hasPrefix(good))
            try "planted\n".write(
                toFile: open + "/" + file.path.dropFirst(good.count + 1), atomically: false, encoding: .utf8)
            #expect(read(address, [open, good]) == "x")
        }
    }

    @Test("a link in the place of the file is not followed")
    func link() throws {
        try inFolder { base in
            let target = base + "/target"
            try "precious\n".write(toFile: target, atomically: false, encoding: .utf8)
            let path = try write("x", address, [base]).path
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            #expect(read(address, [base]) == nil)
            _ = try write("y", address, [base])
            #expect(read(address, [base]) == "y")
            #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious\n")
        }
    }
}

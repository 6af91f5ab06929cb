import EventLoop
import Foundation
import Testing

@testable import Emulator

/// A running emulator and what tests do with it.
struct Rig: Sendable {
    let server: EmulatorServer
    let addresses: EmulatorAddresses
    let folder: String

    /// Runs one test with an emulator of its own, in a folder of its own.
    static func with(
        _ change: (inout EmulatorOptions) -> Void = { _ in }, _ body: (Rig) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "emulator-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = EmulatorOptions()
        options.caFile = folder.appending(path: "ca.pem").path
        change(&options)
        let server = EmulatorServer(options: options)
        let rig = Rig(server: server, addresses: try await server.start(), folder: folder.path)
        do {
            try await body(rig)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// Sends a request on a connection of its own; the first answer.
    func exchange(_ request: String, to address: SocketAddress? = nil) async throws -> RawAnswer {
        let isHead = request.hasPrefix("HEAD ")
        return try await onThread {
            let connection = try RawConnection(address ?? addresses.http)
            try connection.send(request)
            return try connection.answer(isHead: isHead)
        }
    }

    /// A request to the origin.
    func request(_ method: String, _ path: String, _ fields: [String] = [], body: String? = nil) async throws
        -> RawAnswer
    {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: shop.test"] + fields
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return try await exchange(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    }

    @discardableResult
    func control(_ method: String, _ path: String, _ body: String = "") async throws -> JSON {
        let answer = try await exchange(
            "\(method) \(path) HTTP/1.1\r\nHost: c\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)",
            to: addresses.control)
        #expect((200..<300).contains(answer.status), "\(method) \(path): \(answer.body.text)")
        return try answer.json()
    }

    func records() async throws -> [JSON] { try await control("GET", "/v1/requests")["requests"]?.elements ?? [] }

    /// A token of the issuer.
    func token() async throws -> String {
        let answer = try await exchange(
            "POST /token HTTP/1.1\r\nHost: i\r\nContent-Length: 0\r\n\r\n", to: addresses.issuer)
        return try #require(try answer.json()["token"]?.string)
    }

    /// Runs a tool in the rig's folder. By posix_spawn(3): `Process` leaks.
    func run(_ arguments: [String]) async throws -> (status: Int32, output: [UInt8], errors: String) {
        try await onThread {
            let output = folder + "/out-\(UUID().uuidString)"
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            posix_spawn_file_actions_addopen(&actions, 2, output + ".err", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            var words = (["env", "-C", folder] + arguments).map { strdup($0) } + [nil]
            defer { for word in words { free(word) } }
            var child: pid_t = 0
            let code = posix_spawnp(&child, "env", &actions, nil, &words, environ)
            guard code == 0 else { throw RawFailure(description: "\(arguments[0]): errno \(code)") }
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            return (status >> 8 & 0xff, try contents(output), try contents(output + ".err").text)
        }
    }
}

/// A file's bytes. (Foundation's `Data(contentsOf:)` leaks where the file is empty.)
func contents(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw RawFailure(description: "\(path): errno \(errno)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
}

/// Runs blocking code on a thread of its own.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

struct RawFailure: Error, CustomStringConvertible { let description: String }

/// A response that came in whole.
struct RawAnswer: Sendable {
    var status = 0
    var lines: [String] = []
    /// Decoded, without trailers.
    var body: [UInt8] = []
    var trailers: [String] = []

    func json() throws -> JSON { try JSON(reading: body.span) }

    subscript(name: String) -> String? {
        lines.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.dropFirst(name.utf8.count + 1).trimmingCharacters(in: .whitespaces) }
    }
}

/// A blocking connection. Used by one thread at a time.
final class RawConnection: @unchecked Sendable {
    private let descriptor: Int32
    private(set) var buffer: [UInt8] = []

    init(_ address: SocketAddress, timeoutSec: Int = 20) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: timeoutSec, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let code = address.withSockaddr { pointer, length in
            connect(descriptor, pointer.assumingMemoryBound(to: sockaddr.self), length)
        }
        guard code == 0 else { throw RawFailure(description: "connect: errno \(errno)") }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send([UInt8](text)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw RawFailure(description: "send: errno \(errno)") }
            sent += count
        }
    }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Adds what comes to `buffer`; false at the end of the connection.
    @discardableResult
    func receive() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw RawFailure(description: "recv: errno \(errno)") }
        buffer += bytes[..<count]
        return count > 0
    }

    /// Everything up to the end of the connection.
    func rest() throws -> [UInt8] {
        while try receive() {}
        defer { buffer = [] }
        return buffer
    }

    /// Takes `count` bytes.
    func take(_ count: Int) throws -> [UInt8] {
        while buffer.count < count {
            guard try receive() else { throw RawFailure(description: "the connection ended too early: \(buffer.text)") }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Takes a line, without its end.
    func line() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 10) { return try take(end + 1).dropLast(2).map { $0 }.text }
            guard try receive() else { throw RawFailure(description: "the connection ended too early: \(buffer.text)") }
        }
    }

    /// Takes one answer, interim answers included.
    func answer(isHead: Bool = false) throws -> RawAnswer {
        var answer = RawAnswer()
        answer.status = Int(try line().split(separator: " ")[1]) ?? 0
        answer.lines = try fields()
        if isHead || answer.status < 200 || answer.status == 204 || answer.status == 304 { return answer }
        if answer["transfer-encoding"] == "chunked" {
            while let size = Int(try line(), radix: 16), size > 0 {
                answer.body += try take(size)
                _ = try take(2)
            }
            answer.trailers = try fields()
        } else if let length = answer["content-length"].flatMap({ Int($0) }) {
            answer.body = try take(length)
        } else {
            answer.body = try rest()
        }
        return answer
    }

    private func fields() throws -> [String] {
        var lines: [String] = []
        while case let line = try line(), !line.isEmpty { lines.append(line) }
        return lines
    }
}

import Foundation
import TLS
import Telemetry
import Testing

/// The lines that `body` logs, without their times. By way of a file: the end of a pipe comes only when everybody who
/// may have inherited it is gone, other tests' children among them.
func loggedLines(_ body: (Logger) async throws -> Void) async throws -> [String] {
    let path = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString)").path
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer {
        close(descriptor)
        unlink(path)
    }
    let sink = LogSink(descriptor: descriptor)
    try await body(Logger(sink: sink, level: .info, format: .text))
    sink.flush(timeoutMsec: 5000)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.split(separator: "\n").map { String($0.dropFirst(13)) }
}

extension TestAuthority {
    static let now = Int(Date().timeIntervalSince1970)

    /// A PEM file with the root, for as long as `body` runs.
    func withFile<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: "ca-\(UUID().uuidString).pem").path
        try authority.certificate.pem().write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(path)
    }
}

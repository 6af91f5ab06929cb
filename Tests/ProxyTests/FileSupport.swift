import Foundation
import TLS
import Telemetry

/// The lines that `body` logs, without their times.
func loggedLines(_ body: (Logger) async throws -> Void) async throws -> [String] {
    let pipe = Foundation.Pipe()
    let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    try await body(Logger(sink: sink, level: .info, format: .text))
    sink.flush(timeoutMsec: 5000)
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
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

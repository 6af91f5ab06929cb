import Foundation

/// Everything one pipe of a process said so far. A thread of its own reads the pipe, so the process never blocks on it.
final class Capture: @unchecked Sendable {
    private let lock = NSLock()
    private var bytes = Data()
    private var ended = false

    /// Takes ownership of `descriptor`.
    init(reading descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0 && errno == EINTR { continue }
                lock.withLock {
                    if count > 0 { bytes.append(contentsOf: buffer[0..<count]) } else { ended = true }
                }
                if count <= 0 { break }
            }
            close(descriptor)
        }
    }

    var data: Data { lock.withLock { bytes } }
    var text: String { String(decoding: data, as: UTF8.self) }
    var hasEnded: Bool { lock.withLock { ended } }

    /// The complete lines so far.
    var lines: [Substring] {
        let text = text
        guard let last = text.lastIndex(of: "\n") else { return [] }
        return text[..<last].split(separator: "\n")
    }

    /// The complete lines that are JSON.
    var records: [JSON] { lines.compactMap { $0.first == "{" ? JSON(parsing: $0) : nil } }
}

import Foundation
import Telemetry
import Testing
import WAFTokens

@testable import ProxyKit

@Suite struct ProviderLogTests {
    /// What is logged when these things happen one after the other.
    private func lines(_ notes: [ProviderNote]) throws -> [String] {
        let path = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString)").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer {
            close(descriptor)
            unlink(path)
        }
        let sink = LogSink(descriptor: descriptor)
        let log = ProviderLog(name: "shop", logger: Logger(sink: sink, level: .info, format: .json))
        for note in notes { log.write(note) }
        sink.flush(timeoutMsec: 60_000)
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func fetched(isNew: Bool) -> ProviderNote {
        .fetchSucceeded(took: .milliseconds(2), isNew: isNew, fingerprint: "01234567")
    }

    @Test("a source that repeats itself is told of once, with what to set, and again only after a new token")
    func sameToken() throws {
        let repeated = [fetched(isNew: false), ProviderNote.sourceReturnedSameToken]
        let once = try lines(repeated + repeated + repeated)
        #expect(once.count == 1 && once[0].contains("\"provider\":\"shop\"") && once[0].contains("\"set\":"), "\(once)")
        let twice = try lines(repeated + repeated + [fetched(isNew: true)] + repeated + repeated)
        #expect(twice.count == 3, "\(twice)")
    }

    @Test(
        "each thing that an operator has to know is one line",
        arguments: [
            (ProviderNote.fetchFailed(took: .seconds(1), error: .internalError, detail: "d", retryIn: nil), "failed"),
            (.budgetTripped(reopensIn: .seconds(3)), "fetchBudgetPerMinute"), (.becameIdle, "stops"),
            (.becameActive, "goes on"), (.clockJumped(by: .seconds(3600)), "3600000"),
            (.fetchSucceeded(took: .seconds(1), isNew: true, fingerprint: "01234567"), "01234567"),
        ])
    func others(note: ProviderNote, says text: String) throws {
        let lines = try lines([note])
        #expect(lines.count == 1 && lines[0].contains(text), "\(lines)")
    }
}

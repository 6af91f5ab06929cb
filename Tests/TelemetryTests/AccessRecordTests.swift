import Foundation
import Telemetry
import Testing

@Suite struct AccessRecordTests {
    static func sample() -> AccessRecord {
        var record = AccessRecord()
        record.requestID = 0x2a
        record.client = "127.0.0.1:50000"
        record.setMethod("GET".utf8.span)
        record.scheme = "https"
        record.host = "shop.test"
        record.port = 443
        record.setPath("/api?key=s3cret".utf8.span)
        record.status = 200
        record.token = "3f9a1c02"
        record.replays = 1
        record.bytesOut = 1234
        record.durationMicroseconds = 34_200
        return record
    }

    func text(_ record: AccessRecord) -> String {
        written(format: .text) { $0.access(record) }[0]
    }

    @Test func `the text line is the one the contract shows`() {
        let line = text(Self.sample())
        #expect(line.dropFirst(12) == " GET https://shop.test/api 200 1.2kB 34ms token=3f9a1c02 replay=1")
    }

    @Test func `ports, tunnels, IPv6, errors and missing answers show in the text line`() {
        var record = Self.sample()
        record.port = 8443
        record.verdict = .challenge
        record.error = "source_failed"
        #expect(text(record).contains("https://shop.test:8443/api 200"))
        #expect(text(record).hasSuffix(" replay=1 verdict=challenge error=source_failed"))
        record.reset()
        record.setMethod("CONNECT".utf8.span)
        record.host = "::1"
        record.port = 443
        #expect(text(record).dropFirst(12) == " CONNECT [::1]:443 - 0B 0ms")
    }

    @Test func `the JSON line has every field under its fixed name`() throws {
        func object(_ record: AccessRecord) throws -> [String: Any] {
            let line = written(format: .json) { $0.access(record) }[0]
            return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        var record = Self.sample()
        record.upstreamMicroseconds = 30_001
        let full = try object(record)
        let names = [
            "ts", "level", "msg", "request_id", "client", "method", "scheme", "host", "port", "path", "status",
            "verdict",
            "token", "replays", "bytes_in", "bytes_out", "duration_ms", "upstream_ms", "error",
        ]
        #expect(Set(full.keys) == Set(names))
        #expect(full["request_id"] as? String == "2a")
        #expect(full["path"] as? String == "/api")
        #expect(full["duration_ms"] as? Double == 34.2)
        #expect(full["upstream_ms"] as? Double == 30.001)
        #expect(full["error"] is NSNull)
        let empty = try object(AccessRecord())
        #expect(Set(empty.keys) == Set(names))
        #expect(empty["path"] is NSNull)
    }

    @Test func `what a client sends cannot break or forge a line`() throws {
        var record = AccessRecord()
        let evil = String(repeating: "\"\\\n{", count: 100)
        record.client = evil
        record.setMethod(evil.utf8.span)
        record.host = evil
        record.setPath(evil.utf8.span)
        record.token = evil
        record.error = evil
        let lines = written(format: .json) { $0.access(record) } + written(format: .text) { $0.access(record) }
        #expect(lines.count == 2)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) }
    }

    @Test func `a query string never shows`() {
        for target in ["/a?token=s3cret", "/a#s3cret", "?s3cret"] {
            var record = Self.sample()
            record.setPath(target.utf8.span)
            #expect(!text(record).contains("s3cret"))
        }
    }

    @Test(arguments: [
        (0, "0B"), (999, "999B"), (1000, "1kB"), (1234, "1.2kB"), (9949, "9.9kB"), (9950, "10kB"), (10_400, "10kB"),
        (999_499, "999kB"), (999_500, "1MB"), (1_000_000, "1MB"), (67_108_864, "67MB"), (2_500_000_000, "2.5GB"),
        (7_000_000_000_000, "7TB"),
    ]) func `sizes are short`(bytes: UInt64, shown: String) {
        var record = Self.sample()
        record.bytesOut = bytes
        #expect(text(record).contains(" 200 \(shown) 34ms"))
    }

    @Test func `access lines can be left out, by their own switch or by the level`() {
        #expect(written(format: .text, access: false) { $0.access(Self.sample()) }.isEmpty)
        #expect(written(level: .warning, format: .text) { $0.access(Self.sample()) }.isEmpty)
    }
}

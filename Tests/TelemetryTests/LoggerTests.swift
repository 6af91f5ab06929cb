import Foundation
import Telemetry
import Testing

/// What a logger with these settings writes while `body` runs.
func written(
    level: LogLevel = .trace, format: LogFormat, access: Bool = true, _ body: (Logger) -> Void
) -> [String] {
    let pipe = LogSinkTests.TestPipe()
    let sink = LogSink(descriptor: pipe.writing)
    body(Logger(sink: sink, level: level, format: format, access: access))
    sink.write("end".utf8.span)
    sink.flush(timeoutMsec: 5000)
    return pipe.read().split(separator: "\n").dropLast().map(String.init)
}

@Suite struct LoggerTests {
    @Test func `a text line is time, level, message and metadata`() throws {
        let lines = written(format: .text) { logger in
            logger.info("listening", [("address", "127.0.0.1:8080"), ("loops", 2), ("tls", false)])
            logger.warning(
                "odd", [("a", "two words"), ("b", ""), ("c", .bytes([0x0a, 0x22, 0x20])), ("d", "x=\"y\"")])
        }
        #expect(lines.count == 2)
        #expect(lines[0].dropFirst(12) == " info listening address=127.0.0.1:8080 loops=2 tls=false")
        #expect(lines[0].prefix(12).wholeMatch(of: /\d\d:\d\d:\d\d\.\d\d\d/) != nil)
        #expect(lines[1].dropFirst(12) == #" warning odd a="two words" b="" c="\x0a\" " d="x=\"y\"""#)
    }

    @Test func `a sentence is written whole and escaped once`() throws {
        let said = Escaper.escape("\u{1b}[31m \\ \"x\"")
        let sentence = "the command said: \(said)" + String(repeating: " word", count: 40)
        let text = written(format: .text) { $0.warning("failed", [("detail", .sentence(sentence))]) }
        #expect(text[0].dropFirst(12) == " warning failed detail=\"\(sentence)\"")
        let json = written(format: .json) { $0.warning("failed", [("detail", .sentence(sentence + "\u{e9}"))]) }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json[0].utf8)) as? [String: Any])
        #expect(object["detail"] as? String == sentence + "??")
    }

    @Test func `a JSON line is valid JSON whatever comes from outside`() throws {
        let odd = "\"quoted\" \\ back\u{0}\u{1f}\u{7f}üñ\n"
        let lines = written(format: .json) { logger in
            logger.error("failed", [("detail", .string(odd)), ("status", -3), ("fatal", true)])
        }
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(object["msg"] as? String == "failed")
        #expect(object["level"] as? String == "error")
        #expect(object["detail"] as? String == Escaper.escape(odd))
        #expect(object["status"] as? Int == -3)
        #expect(object["fatal"] as? Bool == true)
        #expect((object["ts"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    @Test(arguments: LogLevel.allCases) func `lines below the level are not written nor even built`(level: LogLevel) {
        var built = 0
        func metadata() -> [(StaticString, LogValue)] {
            built += 1
            return []
        }
        let lines = written(level: level, format: .text) { logger in
            for line in LogLevel.allCases { logger.log(line, "message", metadata()) }
        }
        #expect(lines.count == LogLevel.allCases.count - Int(level.rawValue))
        #expect(built == lines.count)
    }

    @Test func `long values are cut, the line stays whole`() throws {
        let long = String(repeating: "\"", count: 1000)
        let lines = written(format: .json) {
            $0.info("long", [("a", .string(long)), ("b", .string(long)), ("c", "end")])
        }
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect((object["a"] as? String)?.count == 120)
        #expect(object["c"] as? String == "end")
    }

    @Test func `a silent logger accepts everything`() {
        Logger.silent.error("nobody hears")
        Logger.silent.access(AccessRecord())
        #expect(!Logger.silent.writesAccess)
    }
}

import Foundation
import Telemetry
import Testing

@Suite struct LogSinkTests {
    /// A pipe whose ends are closed when it goes.
    final class TestPipe {
        let reading: Int32
        let writing: Int32
        private var isReadingOpen = true

        init() {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            reading = ends[0]
            writing = ends[1]
        }

        func closeReading() {
            isReadingOpen = false
            close(reading)
        }

        /// Everything that is there, waiting for at least one byte.
        func read() -> String {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = Glibc.read(reading, &buffer, buffer.count)
            return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        }

        deinit {
            if isReadingOpen { close(reading) }
            close(writing)
        }
    }

    @Test func `lines arrive whole and in order`() {
        let pipe = TestPipe()
        let sink = LogSink(descriptor: pipe.writing)
        for number in 0..<100 { sink.write("line \(number)".utf8.span) }
        sink.flush(timeoutMsec: 5000)
        #expect(pipe.read() == (0..<100).map { "line \($0)\n" }.joined())
        #expect(sink.droppedLines == 0)
    }

    @Test func `a reader that does not read costs lines, never time`() {
        let pipe = TestPipe()
        let sink = LogSink(descriptor: pipe.writing, capacity: 10_000)
        let line = String(repeating: "x", count: 99)
        for _ in 0..<20_000 { sink.write(line.utf8.span) }
        #expect(sink.droppedLines > 0)
        sink.flush(timeoutMsec: 10)
        #expect(pipe.read().hasPrefix(line + "\n"))
    }

    @Test func `a reader that went away kills nothing and is counted`() {
        let pipe = TestPipe()
        let sink = LogSink(descriptor: pipe.writing)
        pipe.closeReading()
        for _ in 0..<10 { sink.write("lost".utf8.span) }
        sink.flush(timeoutMsec: 5000)
        #expect(sink.droppedLines == 10)
    }

    @Test func `once lines can be written again, lines say how many were lost`() {
        let pipe = TestPipe()
        let sink = LogSink(descriptor: pipe.writing, capacity: 10_000)
        let logger = Logger(sink: sink, level: .info, format: .json)
        while sink.droppedLines < 5 { logger.info("filler") }
        let lost = sink.droppedLines
        var text = ""
        while reportedLosses(in: text).reduce(0, +) < lost { text += pipe.read() }
        #expect(reportedLosses(in: text).reduce(0, +) == lost)
        logger.info("later")
        sink.flush(timeoutMsec: 5000)
        text += pipe.read()
        #expect(text.contains("later") && sink.droppedLines == lost)
        #expect(reportedLosses(in: text).reduce(0, +) == lost)
    }

    /// The counts in the warnings of lost lines, of the lines that are whole. The writer may get a batch out while
    /// lines are still being lost, so that there are several.
    private func reportedLosses(in text: String) -> [Int] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { line in
            guard line.contains("\"level\":\"warning\",\"msg\":\"log lines were lost\",\"count\":") else { return nil }
            return line.split(separator: ":").last.flatMap { Int($0.dropLast()) }
        }
    }

    @Test func `a descriptor that takes nothing is told once`() {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        let failures = Lock([Int32]())
        let sink = LogSink(descriptor: full) { code in failures.withLock { $0.append(code) } }
        for _ in 0..<3 {
            sink.write("lost".utf8.span)
            sink.flush(timeoutMsec: 5000)
        }
        #expect(failures.withLock { $0 } == [ENOSPC] && sink.droppedLines == 3)
    }

    @Test func `what is buffered is still written after the last reference went`() {
        let pipe = TestPipe()
        do {
            let sink = LogSink(descriptor: pipe.writing)
            sink.write("last words".utf8.span)
        }
        #expect(pipe.read() == "last words\n")
    }

    @Test func `a descriptor that does not block is waited for by the writer alone`() async {
        let pipe = TestPipe()
        _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
        let sink = LogSink(descriptor: pipe.writing)
        let line = String(repeating: "y", count: 999)
        for _ in 0..<200 { sink.write(line.utf8.span) }
        var received = 0
        while received < 200_000 { received += pipe.read().utf8.count }
        #expect(received == 200_000)
        #expect(sink.droppedLines == 0)
    }
}

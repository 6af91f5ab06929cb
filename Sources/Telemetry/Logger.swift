/// Writes the program's log: constant messages with varying metadata, and one access line a request.
///
/// A small value to pass around; safe on any thread, never blocks (see `LogSink`). Everything that varies goes through
/// `Escaper`; secrets do not belong in metadata.
public struct Logger: Sendable {
    private let sink: LogSink?
    private let choices: LogChoices

    /// A logger that writes lines of `level` and above to `sink`; `access: false` leaves the access lines out.
    public init(sink: LogSink, level: LogLevel, format: LogFormat, access: Bool = true) {
        self.init(destination: sink, level: level, format: format, access: access)
        let choices = choices
        sink.describeLosses { count in
            Self.line(max(choices.level, .warning), "log lines were lost", [("count", .integer(count))], choices.format)
        }
    }

    private static func line(
        _ level: LogLevel, _ message: StaticString, _ metadata: [(StaticString, LogValue)], _ format: LogFormat
    ) -> [UInt8] {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room(for: message, metadata)) { memory in
            var writer = LineWriter(memory)
            switch format {
            case .text: writer.textLine(level, message, metadata, at: .now())
            case .json: writer.jsonLine(level, message, metadata, at: .now())
            }
            return writer.line.span.withUnsafeBufferPointer { Array($0) }
        }
    }

    /// A logger that writes nothing.
    public static var silent: Logger {
        Logger(destination: nil, level: .error, format: .text, access: false)
    }

    private init(destination: LogSink?, level: LogLevel, format: LogFormat, access: Bool) {
        sink = destination
        choices = LogChoices(level: level, format: format, access: access)
    }

    /// Lines below this level are not written.
    public var level: LogLevel { choices.level }

    /// Whether access lines are written: asked for, and `info` is.
    public var writesAccess: Bool { sink != nil && choices.writesAccess }

    /// Every logger that was copied from this one, and this one, writes so from now on.
    public func change(level: LogLevel, format: LogFormat, access: Bool) {
        choices.change(level: level, format: format, access: access)
    }

    /// How many lines could not be written so far.
    public var droppedLines: Int { sink?.droppedLines ?? 0 }

    /// One line, if its level is written at all; the metadata is not even built otherwise.
    public func log(
        _ level: LogLevel, _ message: StaticString, _ metadata: @autoclosure () -> [(StaticString, LogValue)] = []
    ) {
        guard let sink, level >= choices.level else { return }
        sink.write(Self.line(level, message, metadata(), choices.format).span)
    }

    /// The access line of one request that ended at `now`.
    public func access(_ record: borrowing AccessRecord, at now: WallClock = .now()) {
        guard let sink, writesAccess else { return }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: AccessRecord.longestLine) { memory in
            var writer = LineWriter(memory)
            switch choices.format {
            case .text: writer.textAccess(record, at: now)
            case .json: writer.jsonAccess(record, at: now)
            }
            sink.write(writer.line.span)
        }
    }

    /// Room for the longest line these parts can make: every character may need a backslash.
    private static func room(for message: StaticString, _ metadata: [(StaticString, LogValue)]) -> Int {
        metadata.reduce(100 + 2 * message.utf8CodeUnitCount) { room, pair in
            let value = if case .sentence(let text) = pair.1 { text.utf8.count } else { Escaper.defaultLimit }
            return room + pair.0.utf8CodeUnitCount + 2 * value + 8
        }
    }
}

extension Logger {
    /// A line that shows every step.
    public func trace(_ message: StaticString, _ metadata: @autoclosure () -> [(StaticString, LogValue)] = []) {
        log(.trace, message, metadata())
    }

    /// A line that helps to find a fault.
    public func debug(_ message: StaticString, _ metadata: @autoclosure () -> [(StaticString, LogValue)] = []) {
        log(.debug, message, metadata())
    }

    /// A line an operator wants to see.
    public func info(_ message: StaticString, _ metadata: @autoclosure () -> [(StaticString, LogValue)] = []) {
        log(.info, message, metadata())
    }

    /// A line somebody should look at.
    public func warning(_ message: StaticString, _ metadata: @autoclosure () -> [(StaticString, LogValue)] = []) {
        log(.warning, message, metadata())
    }

    /// A line about something that does not work.
    public func error(_ message: StaticString, _ metadata: @autoclosure () -> [(StaticString, LogValue)] = []) {
        log(.error, message, metadata())
    }
}

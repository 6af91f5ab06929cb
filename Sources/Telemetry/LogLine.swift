/// The two shapes of an ordinary log line.
extension LineWriter {
    /// `12:00:00.123 info message key=value key="two words"`
    mutating func textLine(
        _ level: LogLevel, _ message: StaticString, _ metadata: [(StaticString, LogValue)], at time: WallClock
    ) {
        timeOfDay(time)
        byte(UInt8(ascii: " "))
        literal(level.name)
        byte(UInt8(ascii: " "))
        literal(message)
        for (key, value) in metadata {
            byte(UInt8(ascii: " "))
            literal(key)
            byte(UInt8(ascii: "="))
            textValue(value)
        }
    }

    /// `{"ts":"2026-01-31T12:00:00.123Z","level":"info","msg":"message","key":"value"}`
    mutating func jsonLine(
        _ level: LogLevel, _ message: StaticString, _ metadata: [(StaticString, LogValue)], at time: WallClock
    ) {
        jsonStart(level, message, at: time)
        for (key, value) in metadata {
            literal(",\"")
            literal(key)
            literal("\":")
            jsonValue(value)
        }
        byte(UInt8(ascii: "}"))
    }

    mutating func jsonStart(_ level: LogLevel, _ message: StaticString, at time: WallClock) {
        literal("{\"ts\":\"")
        rfc3339(time)
        literal("\",\"level\":\"")
        literal(level.name)
        literal("\",\"msg\":\"")
        message.withUTF8Buffer { escaped($0, quoting: .json, limit: .max) }
        byte(UInt8(ascii: "\""))
    }

    mutating func textValue(_ value: LogValue) {
        switch value {
        case .string(let text): textValue(text.utf8)
        case .sentence(let text): textSentence(text.utf8)
        case .bytes(let bytes): textValue(bytes)
        case .integer(let number): integer(number)
        case .bool(let truth): literal(truth ? "true" : "false")
        }
    }

    /// Quoted where a reader could not see where the value ends.
    private mutating func textValue(_ bytes: some Collection<UInt8>) {
        let needsQuotes =
            bytes.isEmpty
            || bytes.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "=") }
        if needsQuotes { byte(UInt8(ascii: "\"")) }
        escaped(bytes, quoting: needsQuotes ? .text : .none)
        if needsQuotes { byte(UInt8(ascii: "\"")) }
    }

    private mutating func jsonValue(_ value: LogValue) {
        switch value {
        case .string(let text): jsonString(text.utf8)
        case .sentence(let text): jsonSentence(text.utf8)
        case .bytes(let bytes): jsonString(bytes)
        case .integer(let number): integer(number)
        case .bool(let truth): literal(truth ? "true" : "false")
        }
    }

    private mutating func textSentence(_ bytes: String.UTF8View) {
        byte(UInt8(ascii: "\""))
        for value in bytes { byte(printable(value)) }
        byte(UInt8(ascii: "\""))
    }

    private mutating func jsonSentence(_ bytes: String.UTF8View) {
        byte(UInt8(ascii: "\""))
        for value in bytes {
            if value == UInt8(ascii: "\"") || value == UInt8(ascii: "\\") { byte(UInt8(ascii: "\\")) }
            byte(printable(value))
        }
        byte(UInt8(ascii: "\""))
    }

    private func printable(_ value: UInt8) -> UInt8 { value >= 0x20 && value < 0x7f ? value : UInt8(ascii: "?") }

    @inline(__always)
    mutating func jsonString(_ bytes: some Sequence<UInt8>) {
        byte(UInt8(ascii: "\""))
        escaped(bytes, quoting: .json)
        byte(UInt8(ascii: "\""))
    }
}

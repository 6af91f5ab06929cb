/// The two shapes of an access line.
extension LineWriter {
    /// `12:00:00.123 GET https://shop.test/api 200 1.2kB 34ms token=3f9a1c02 replay=1`
    mutating func textAccess(_ record: borrowing AccessRecord, at time: WallClock) {
        timeOfDay(time)
        byte(UInt8(ascii: " "))
        escaped(record.method, quoting: .none)
        byte(UInt8(ascii: " "))
        url(record)
        byte(UInt8(ascii: " "))
        if record.status > 0 { integer(record.status) } else { byte(UInt8(ascii: "-")) }
        byte(UInt8(ascii: " "))
        size(record.bytesOut)
        byte(UInt8(ascii: " "))
        duration(microseconds: record.durationMicroseconds)
        if let token = record.token {
            literal(" token=")
            escaped(token.utf8, quoting: .none)
        }
        if record.replays > 0 {
            literal(" replay=")
            integer(record.replays)
        }
        if let verdict = record.verdict {
            literal(" verdict=")
            literal(verdict.label)
        }
        if let error = record.error {
            literal(" error=")
            textValue(.string(error))
        }
    }

    /// Every field of the record under its fixed name; `null` where there is nothing.
    mutating func jsonAccess(_ record: borrowing AccessRecord, at time: WallClock) {
        jsonStart(.info, "request", at: time)
        jsonAccessFields(record)
        byte(UInt8(ascii: "}"))
    }

    /// The fields, each after a comma.
    mutating func jsonAccessFields(_ record: borrowing AccessRecord) {
        literal(",\"request_id\":\"")
        hexadecimal(record.requestID)
        literal("\",\"client\":")
        jsonString(record.client.utf8)
        literal(",\"method\":")
        jsonString(record.method)
        literal(",\"scheme\":")
        jsonOptional(record.scheme)
        literal(",\"host\":")
        jsonString(record.host.utf8)
        literal(",\"port\":")
        unsigned(UInt64(record.port))
        literal(",\"path\":")
        if record.path.isEmpty { literal("null") } else { jsonString(record.path) }
        literal(",\"status\":")
        integer(record.status)
        literal(",\"verdict\":")
        jsonOptional(record.verdict?.label)
        literal(",\"token\":")
        jsonOptional(record.token)
        literal(",\"replays\":")
        integer(record.replays)
        literal(",\"bytes_in\":")
        unsigned(record.bytesIn)
        literal(",\"bytes_out\":")
        unsigned(record.bytesOut)
        literal(",\"duration_ms\":")
        milliseconds(record.durationMicroseconds)
        literal(",\"upstream_ms\":")
        if let upstream = record.upstreamMicroseconds { milliseconds(upstream) } else { literal("null") }
        literal(",\"error\":")
        jsonOptional(record.error)
    }

    /// `https://shop.test/api`, the port only where it is not the scheme's own; a tunnel is `shop.test:443`.
    private mutating func url(_ record: borrowing AccessRecord) {
        var usualPort: UInt16 = 0
        if let scheme = record.scheme {
            usualPort = scheme.utf8CodeUnitCount == 5 ? 443 : 80
            literal(scheme)
            literal("://")
        }
        let isIPv6 = record.host.utf8.contains(UInt8(ascii: ":"))
        if isIPv6 { byte(UInt8(ascii: "[")) }
        escaped(record.host.utf8, quoting: .none)
        if isIPv6 { byte(UInt8(ascii: "]")) }
        if record.port != usualPort {
            byte(UInt8(ascii: ":"))
            unsigned(UInt64(record.port))
        }
        escaped(record.path, quoting: .none)
    }

    private mutating func jsonOptional(_ text: StaticString?) {
        guard let text else { return literal("null") }
        byte(UInt8(ascii: "\""))
        literal(text)
        byte(UInt8(ascii: "\""))
    }

    private mutating func jsonOptional(_ text: String?) {
        if let text { jsonString(text.utf8) } else { literal("null") }
    }

    /// `512B`, `1.2kB`, `34MB`: powers of 1000, one decimal below ten.
    mutating func size(_ bytes: UInt64) {
        let units: (StaticString, StaticString, StaticString, StaticString) = ("kB", "MB", "GB", "TB")
        guard bytes >= 1000 else {
            unsigned(bytes)
            return byte(UInt8(ascii: "B"))
        }
        if bytes < 999_500 { return scaled(bytes, by: 1000, units.0) }
        if bytes < 999_500_000 { return scaled(bytes, by: 1_000_000, units.1) }
        if bytes < 999_500_000_000 { return scaled(bytes, by: 1_000_000_000, units.2) }
        scaled(bytes, by: 1_000_000_000_000, units.3)
    }

    /// `0.4ms`, `34ms`: one decimal below ten.
    mutating func duration(microseconds: UInt64) {
        scaled(microseconds, by: 1000, "ms")
    }

    private mutating func scaled(_ value: UInt64, by divisor: UInt64, _ unit: StaticString) {
        let tenths = value / (divisor / 10) + (value % (divisor / 10) >= divisor / 20 ? 1 : 0)
        if tenths >= 100 {
            unsigned(value / divisor + (value % divisor >= divisor / 2 ? 1 : 0))
        } else {
            unsigned(tenths / 10)
            if tenths % 10 > 0 {
                byte(UInt8(ascii: "."))
                unsigned(tenths % 10)
            }
        }
        literal(unit)
    }

    /// Microseconds as milliseconds with three decimals, as JSON numbers go.
    private mutating func milliseconds(_ microseconds: UInt64) {
        unsigned(microseconds / 1000)
        byte(UInt8(ascii: "."))
        unsigned(microseconds % 1000, minimumDigits: 3)
    }
}

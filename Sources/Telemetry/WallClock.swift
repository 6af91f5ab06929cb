import Glibc

/// A moment of the wall clock (UTC), in milliseconds, and its spellings. For people and protocols; durations are
/// measured on a monotonic clock elsewhere.
public struct WallClock: Sendable, Equatable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// A moment given in milliseconds since 1970; before 1970 counts as 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = max(0, milliseconds)
    }

    /// The moment that is now (clock_gettime(2), `CLOCK_REALTIME`).
    public static func now() -> WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallClock(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// `12:00:00.123`
    public var timeOfDay: String { spelled { $0.timeOfDay(self) } }

    /// `2026-01-31T12:00:00.123Z` (RFC 3339).
    public var rfc3339: String { spelled { $0.rfc3339(self) } }

    /// `Sat, 31 Jan 2026 12:00:00 GMT` (RFC 9110 §5.6.7, IMF-fixdate).
    public var httpDate: String { spelled { $0.httpDate(self) } }

    private func spelled(_ write: (inout LineWriter) -> Void) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { memory in
            var writer = LineWriter(memory)
            write(&writer)
            return String(decoding: writer.line, as: UTF8.self)
        }
    }

    var secondOfDay: Int { Int(milliseconds / 1000 % 86400) }
    var daysSince1970: Int { Int(milliseconds / 86_400_000) }

    /// Year, month and day of the Gregorian calendar, by days counted from 1 March of year 0 in cycles of 400 years.
    var date: (year: Int, month: Int, day: Int) {
        let days = daysSince1970 + 719_468
        let cycle = days / 146_097
        let dayOfCycle = days % 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        return (cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, day)
    }
}

extension LineWriter {
    mutating func timeOfDay(_ time: WallClock) {
        seconds(time)
        byte(UInt8(ascii: "."))
        unsigned(UInt64(time.milliseconds % 1000), minimumDigits: 3)
    }

    mutating func rfc3339(_ time: WallClock) {
        let date = time.date
        unsigned(UInt64(date.year), minimumDigits: 4)
        byte(UInt8(ascii: "-"))
        unsigned(UInt64(date.month), minimumDigits: 2)
        byte(UInt8(ascii: "-"))
        unsigned(UInt64(date.day), minimumDigits: 2)
        byte(UInt8(ascii: "T"))
        timeOfDay(time)
        byte(UInt8(ascii: "Z"))
    }

    mutating func httpDate(_ time: WallClock) {
        let date = time.date
        literal(weekdays[(time.daysSince1970 + 4) % 7])
        unsigned(UInt64(date.day), minimumDigits: 2)
        literal(months[date.month - 1])
        unsigned(UInt64(date.year), minimumDigits: 4)
        byte(UInt8(ascii: " "))
        seconds(time)
        literal(" GMT")
    }

    private mutating func seconds(_ time: WallClock) {
        let second = time.secondOfDay
        unsigned(UInt64(second / 3600), minimumDigits: 2)
        byte(UInt8(ascii: ":"))
        unsigned(UInt64(second / 60 % 60), minimumDigits: 2)
        byte(UInt8(ascii: ":"))
        unsigned(UInt64(second % 60), minimumDigits: 2)
    }
}

private let weekdays: [StaticString] = ["Sun, ", "Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, "]
private let months: [StaticString] = [
    " Jan ", " Feb ", " Mar ", " Apr ", " May ", " Jun ", " Jul ", " Aug ", " Sep ", " Oct ", " Nov ", " Dec ",
]

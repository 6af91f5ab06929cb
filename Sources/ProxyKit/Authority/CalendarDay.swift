internal import Telemetry

/// Days of validity, for people.
enum CalendarDay {
    /// `2026-01-31`, of seconds since 1970.
    static func text(_ second: Int) -> String {
        String(WallClock(milliseconds: Int64(second) * 1000).rfc3339.prefix(10))
    }
}

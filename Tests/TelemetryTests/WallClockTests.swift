import Foundation
import Telemetry
import Testing

@Suite struct WallClockTests {
    @Test func `the three spellings of one moment`() {
        let moment = WallClock(milliseconds: 1_769_860_800_123)
        #expect(moment.timeOfDay == "12:00:00.123")
        #expect(moment.rfc3339 == "2026-01-31T12:00:00.123Z")
        #expect(moment.httpDate == "Sat, 31 Jan 2026 12:00:00 GMT")
    }

    @Test func `dates agree with Foundation for every tenth day of two centuries`() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for day in stride(from: 0, to: 80_000, by: 10) {
            let seconds = day * 86_400 + day % 86_400
            let expected = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
            #expect(WallClock(milliseconds: Int64(seconds) * 1000).httpDate == expected)
        }
    }

    @Test func `now is now`() {
        let before = Date().timeIntervalSince1970
        let now = Double(WallClock.now().milliseconds) / 1000
        #expect(abs(now - before) < 60)
    }
}

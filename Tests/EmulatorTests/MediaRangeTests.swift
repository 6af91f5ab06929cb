import Testing

@testable import Emulator

@Suite struct MediaRangeTests {
    @Test(
        "Accept names text/html where it is listed with a weight other than 0",
        arguments: [
            ("text/html", true), ("TEXT/HTML", true), ("text/html;q=0.9", true), ("text/html; q=0.001", true),
            ("application/json, text/html", true), ("text/html;level=1", true), ("a/b;q=0 ,\ttext/html ;q=1", true),
            ("text/html;q=0", false), ("text/html; Q=0.000", false), ("text/html ; q=0.", false), ("*/*", false),
            ("text/*", false), ("", false), ("text/htmlx", false), ("application/xhtml+xml", false),
            ("text/plain;x=text/html", false),
        ])
    func html(accept: String, expected: Bool) {
        #expect(namesHTML([UInt8](accept).span) == expected)
    }
}

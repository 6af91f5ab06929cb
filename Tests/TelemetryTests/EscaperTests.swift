import Telemetry
import Testing

@Suite struct EscaperTests {
    @Test(arguments: [
        ("plain text", "plain text"),
        ("", ""),
        ("two\r\nlines", #"two\x0d\x0alines"#),
        ("\u{1b}[31mred", #"\x1b[31mred"#),
        ("ü", #"\xc3\xbc"#),
        ("\u{7f}\0", #"\x7f\x00"#),
        (#"a\x0a"#, #"a\\x0a"#),
        (#"say "hi""#, #"say "hi""#),
    ]) func `only printable ASCII comes out`(input: String, escaped: String) {
        #expect(Escaper.escape(input) == escaped)
    }

    @Test(arguments: 0..<300) func `no text is longer than the limit`(length: Int) {
        for unit in ["a", "ä", "\\", "ab\n"] {
            let input = String(repeating: unit, count: length)
            let escaped = Escaper.escape(input)
            #expect(escaped.utf8.count <= 120)
            #expect(escaped.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
        }
    }

    @Test func `a text of exactly the limit is whole, one more is cut with dots`() {
        let whole = String(repeating: "a", count: 120)
        #expect(Escaper.escape(whole) == whole)
        #expect(Escaper.escape(whole + "b") == String(repeating: "a", count: 117) + "...")
        #expect(Escaper.escape("abcdefgh", limit: 6) == "abc...")
    }

    @Test func `a cut never splits an escape`() {
        #expect(Escaper.escape("ab\n\n", limit: 7) == "ab...")
        #expect(Escaper.escape("abc\n", limit: 7) == #"abc\x0a"#)
    }
}

import Testing

@testable import Emulator

@Suite struct JSONTests {
    @Test(
        "What is read is written the same",
        arguments: [
            "null", "true", "false", "0", "-1", "9223372036854775807", "0.5", "\"\"", "[]", "{}", "[1,[2,[]],{}]",
            #"{"a":1,"b":[null,"x"]}"#, #""a\"\\\n\r\t\u0000""#, "\"é😀\"",
        ])
    func roundTrip(text: String) throws {
        #expect(try JSON(parsing: text).bytes.text == text)
    }

    @Test("Other spellings of the same value")
    func spellings() throws {
        let list = try JSON(parsing: " [ 1 ,\n2\t] ")
        #expect(list == [1, 2])
        #expect(try JSON(parsing: #""\u00e9\ud83d\ude00\/\b\f""#) == .string("é😀/\u{8}\u{c}"))
        #expect(try JSON(parsing: "1e2") == .number(100))
        #expect(try JSON(parsing: "-0.0") == .number(0))
        #expect(try JSON(parsing: "9223372036854775808") == .number(9_223_372_036_854_775_808))
        #expect(JSON.number(.infinity).bytes.text == "null")
    }

    @Test(
        "What is not JSON is refused",
        arguments: [
            "", " ", "nul", "truex", "01", "1.", ".5", "+1", "-", "1e", "1e999", "[", "[1", "[1,]", "[1 2]", "{",
            "{\"a\"}", "{\"a\":}",
            "{\"a\":1,}", "{a:1}", "{\"a\":1,\"a\":2}", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\"",
            "\"\\ud800\\u0041\"",
            "\"\n\"", "[] []", "\u{feff}1", "'a'",
        ])
    func refused(text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: text) }
    }

    @Test("Bytes that are not UTF-8 and depth without end are refused")
    func bounds() throws {
        #expect(throws: JSONError.self) { try JSON(reading: [0x22, 0xff, 0x22].span) }
        #expect(throws: JSONError.self) { try JSON(parsing: String(repeating: "[", count: 100_000)) }
        #expect(throws: JSONError(offset: 32, detail: .tooDeep)) {
            try JSON(parsing: String(repeating: "[", count: 33) + String(repeating: "]", count: 33))
        }
        _ = try JSON(parsing: String(repeating: "[", count: 32) + String(repeating: "]", count: 32))
    }
}

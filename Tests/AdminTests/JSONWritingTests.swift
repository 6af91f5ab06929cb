import Testing
import WAFTokens

@testable import Admin

@Suite struct JSONWritingTests {
    @Test(
        "each kind of value has its text",
        arguments: [
            (.null, "null"), (.bool(true), "true"), (.bool(false), "false"), (.integer(0), "0"), (.integer(-7), "-7"),
            (.number(1.5), "1.5"), (.number(.infinity), "null"), (.number(.nan), "null"),
            (.integer(9_007_199_254_740_991), "9007199254740991"), (.seconds(.milliseconds(1250)), "1.25"),
            (.seconds(.seconds(3)), "3"), (.seconds(.milliseconds(-500)), "-0.5"), (.text(""), "\"\""),
            (.text("a\"b\\c\n\u{1}\u{7f}é"), "\"a\\\"b\\\\c\\u000a\\u0001\\u007fé\""), (.array([]), "[]"),
            (.array([.null, .array([.bool(true)])]), "[null,[true]]"), (.members([:]), "{}"),
            (.members(["a": .integer(1), "b\"": .members(["c": .null])]), "{\"a\":1,\"b\\\"\":{\"c\":null}}"),
            (.maybe(nil as Int?) { .integer($0) }, "null"), (.maybe(4) { .integer($0) }, "4"),
        ] as [(JSONValue, String)])
    func written(value: JSONValue, text: String) {
        #expect(value.text == text)
    }

    @Test("what is written is read again as it was")
    func roundTrip() throws {
        let value = JSONValue.members([
            "text": .text("\u{0}\u{1f}\"\\/üñ🙂"), "list": .array([.number(0.125), .integer(-3), .bool(false), .null]),
        ])
        #expect(try JSONReader.read(value.bytes) == value)
    }
}

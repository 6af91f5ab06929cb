import Testing

@testable import WAFTokens

struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue {
        try JSONReader.read(Array(text.utf8))
    }

    @Test("Documents are read as RFC 8259 has them")
    func documents() throws {
        let values: [JSONValue] = [
            .number(1), .number(-250), .bool(true), .bool(false), .null, .string(Array("x".utf8)),
        ]
        let expected = JSONValue.object([JSONValue.Member(name: Array("a".utf8), value: .array(values))])
        let document = try read(" {\"a\" : [1, -2.5e2, true, false, null, \"x\"]}\n")
        #expect(document == expected)
        #expect(try read("\"\"") == .string([]))
        #expect(try read("0") == .number(0))
    }

    @Test("Escapes are resolved, surrogate pairs too")
    func escapes() throws {
        let text = try read(#""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00""#)
        #expect(text == .string(Array("\"\\/\u{8}\u{c}\n\r\tAé😀".utf8)))
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", " ", "{", "[", "[1,]", "{\"a\":1,}", "{a:1}", "'a'", "01", "+1", "1.", ".5", "1e", "-", "NaN", "nul",
            "truex", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"",
            "1 2",
            "[1 2]", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "1e999", "/* */1", "\u{feff}1", "{\"a\":1,\"a\":2}",
        ])
    func refused(text: String) {
        #expect(throws: JSONReader.Fault.self, "\(text)") { try read(text) }
    }

    @Test("Bytes that are not UTF-8 are refused")
    func notUTF8() {
        #expect(throws: JSONReader.Fault.self) { try JSONReader.read([0x22, 0xff, 0x22]) }
        #expect(throws: JSONReader.Fault.self) { try JSONReader.read([0x22, 0xc0, 0x80, 0x22]) }
    }

    @Test("64 KiB and 32 levels are the most")
    func bounds() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try read(nested(32)) }
        #expect(throws: JSONReader.Fault.tooDeep) { try read(nested(33)) }
        let long = "\"" + String(repeating: "a", count: 65_534) + "\""
        #expect(throws: Never.self) { try read(long) }
        #expect(throws: JSONReader.Fault.tooLong) { try read(long + " ") }
    }

    @Test("Random bytes and cut documents never do harm")
    func fuzz() {
        var random = SeededRandom(seed: 3)
        let alphabet = Array("{}[]\",:\\u0e1-+.truefalsn \u{7f}é".utf8)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            _ = try? JSONReader.read(bytes)
        }
    }

    @Test(
        "Pointers are those of RFC 6901",
        arguments: [
            ("", true), ("/a", true), ("/a/0/b~1c", true), ("/a/1", false), ("/a/00", false), ("/a/-", false),
            ("/a/+0", false), ("/x", false), ("/", true), ("/m~0n", true), ("/a/0/b~1c/d", false),
        ])
    func pointers(text: String, isThere: Bool) throws {
        let document = try read(#"{"a":[{"b/c":1}],"":2,"m~n":3}"#)
        let pointer = try #require(JSONPointer(text))
        #expect((pointer.find(in: document) != nil) == isThere, "\(text)")
    }

    @Test("What is no pointer is refused", arguments: ["a", "a/b", "/~", "/~2", "/a~"])
    func badPointers(text: String) {
        #expect(JSONPointer(text) == nil)
    }
}

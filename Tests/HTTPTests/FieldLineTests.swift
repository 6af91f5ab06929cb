import HTTP
import Testing

@Suite("Single field lines")
struct FieldLineTests {
    private func append(_ text: String, to fields: inout Fields) throws(HTTPError) -> Bool {
        try FieldLine.append(bytes(text).span, to: &fields)
    }

    private func append(trailer text: String, to fields: inout Fields) throws(HTTPError) -> Bool {
        try FieldLine.append(trailer: bytes(text).span, to: &fields)
    }

    private func isToken(_ text: String) -> Bool { FieldLine.isToken(bytes(text).span) }

    @Test("a line is added with its bytes; the empty one ends a section")
    func adding() throws {
        var added = Fields()
        #expect(try append("X-a:  b \r\n", to: &added))
        #expect(try append(trailer: "Y:\r\n", to: &added))
        #expect(try !append("\r\n", to: &added))
        #expect(lines(of: added) == ["X-a:  b ", "Y:"])
    }

    @Test(
        "what is no line is refused, and adds nothing",
        arguments: [
            ("", HTTPError.Reason.bareCarriageReturn), ("X: y", .bareCarriageReturn), ("X: y\r", .bareCarriageReturn),
            ("X: y\n", .bareLineFeed), ("X: y\r\n\r\n", .bareCarriageReturn), ("X: \u{0}\r\n", .controlByte),
            ("X : y\r\n", .blankBeforeColon), (" X: y\r\n", .foldedField), ("X\r\n", .missingColon),
        ])
    func refused(text: String, reason: HTTPError.Reason) {
        var added = Fields()
        let error = #expect(throws: HTTPError.self) { try append(text, to: &added) }
        #expect(error?.reason == reason)
        #expect(added.count == 0)
    }

    @Test("trailers say nothing of framing, addressee, connection or sender")
    func trailers() {
        for known in KnownField.allCases where !TrailerSection.allows(known) {
            var added = Fields()
            let error = #expect(throws: HTTPError.self) {
                try append(trailer: "\(known.name): x\r\n", to: &added)
            }
            #expect(error?.reason == .forbiddenTrailer)
            #expect(added.count == 0)
        }
    }

    @Test("a token is one byte or more of tchar")
    func tokens() {
        #expect(isToken("X-!#$%&'*+.^_`|~0"))
        for text in ["", "a b", "a:", "(", "\u{e4}", "\u{0}"] { #expect(!isToken(text)) }
    }
}

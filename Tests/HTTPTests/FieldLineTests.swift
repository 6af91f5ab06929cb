import HTTP
import Testing

struct FieldLineTests {
    static let refused: [(HTTPError.Reason, String)] = [
        (.bareLineFeed, ""), (.bareLineFeed, "\n"), (.bareLineFeed, "A: b"), (.bareLineFeed, "A: b\n"),
        (.bareLineFeed, "A: b\r"), (.controlByte, "A: b\rc\r\n"), (.controlByte, "A: b\nc\r\n"),
        (.controlByte, "A: b\r\r\n"), (.controlByte, "A: \u{0}\r\n"), (.controlByte, "\u{0}: a\r\n"),
        (.foldedField, " A: b\r\n"), (.foldedField, "\tb\r\n"), (.blankBeforeColon, "A : b\r\n"),
        (.missingColon, "A\r\n"), (.malformedFieldName, ": b\r\n"), (.malformedFieldName, "A/: b\r\n"),
    ]

    @Test("A line that is no field is refused for its reason, and nothing is added", arguments: refused)
    func refuses(_ reason: HTTPError.Reason, _ line: String) {
        var fields = Fields()
        let error = #expect(throws: HTTPError.self) { _ = try FieldLine.append(bytes(line).span, to: &fields) }
        #expect(error?.reason == reason)
        #expect(fields.count == 0)
    }

    @Test("Blanks around the value are no part of it, and are kept in the line")
    func parts() throws {
        var fields = Fields()
        for line in ["A:b", "B:  c d\t ", "C:", "D: \t", "E: :"] {
            #expect(try FieldLine.append(bytes(line + "\r\n").span, to: &fields) == true)
        }
        #expect(lines(fields) == ["A:b", "B:  c d\t ", "C:", "D: \t", "E: :"])
        #expect((0..<fields.count).map { text(fields.value($0)) } == ["b", "c d", "", "", ":"])
    }

    @Test("The empty line ends a section")
    func emptyLine() throws {
        var fields = Fields()
        #expect(try FieldLine.append(bytes("\r\n").span, to: &fields) == false)
        #expect(try FieldLine.append(trailer: bytes("\r\n").span, to: &fields) == false)
        #expect(fields.count == 0)
    }

    static let forbiddenTrailers = ["Content-Length: 1", "transfer-encoding: chunked", "HOST: a"]

    @Test("A trailer cannot say where the message ends or whom it is for", arguments: forbiddenTrailers)
    func trailers(_ line: String) {
        var fields = Fields()
        let error = #expect(throws: HTTPError.self) {
            _ = try FieldLine.append(trailer: bytes(line + "\r\n").span, to: &fields)
        }
        #expect(error?.reason == .forbiddenTrailer)
    }

    @Test("Other trailers are taken")
    func goodTrailer() throws {
        var fields = Fields()
        #expect(try FieldLine.append(trailer: bytes("Grpc-Status: 0\r\n").span, to: &fields) == true)
        #expect(lines(fields) == ["Grpc-Status: 0"])
    }

    @Test("A token is one or more tchars")
    func token() {
        #expect(FieldLine.isToken(bytes("M-SEARCH").span) == true)
        #expect(FieldLine.isToken(bytes("").span) == false)
        #expect(FieldLine.isToken(bytes("a b").span) == false)
    }
}

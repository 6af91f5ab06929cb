import HTTP
import Testing

struct BytesTests {
    @Test("Text is compared with and without regard to case")
    func compares() {
        let name = bytes("Content-Length")
        #expect(name.span.equalsIgnoringCase("content-length") == true)
        #expect(name.span.equalsIgnoringCase("content-lengt") == false)
        #expect(bytes("@[").span.equalsIgnoringCase("`{") == false)
        #expect(name.span.equals("Content-Length") == true)
        #expect(name.span.equals("content-length") == false)
        #expect(name.span.equals(bytes("Content-Length").span) == true)
        #expect(name.span.equals(bytes("Content-Lengtz").span) == false)
        #expect(name.span.equalsIgnoringCase(bytes("cONTENT-lENGTH").span) == true)
        #expect(name.span.equalsIgnoringCase(bytes("Content").span) == false)
    }

    @Test("Spans, text and numbers are appended")
    func appends() {
        var out = bytes("a")
        out.append(bytes("bc").span)
        out.append("\r\n")
        for number in [0, 9, 10, 1234567890, Int.max] {
            out.append(decimal: number)
            out.append(" ")
        }
        #expect(text(out) == "abc\r\n0 9 10 1234567890 9223372036854775807 ")
    }
}

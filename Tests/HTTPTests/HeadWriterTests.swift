import HTTP
import Testing

@Suite("Writing heads")
struct HeadWriterTests {
    @Test("a response goes out with its own reason, and every field as it came")
    func response() {
        var head = ResponseHead()
        head.status = 404
        head.version = .http10
        head.reason = bytes("Nicht da\u{df}")
        head.fields = fields("X-a:  b \t", "Empty:", "x-A: c")
        var out = bytes("before")
        HeadWriter.write(response: head, into: &out)
        #expect(latin1(out) == "beforeHTTP/1.1 404 Nicht da\u{df}\r\nX-a:  b \t\r\nEmpty:\r\nx-A: c\r\n\r\n")
    }

    @Test("an answer of ours gets its status' phrase, an unknown status none")
    func phrases() {
        var head = ResponseHead()
        for (status, line) in [(200, "HTTP/1.1 200 OK"), (508, "HTTP/1.1 508 Loop Detected"), (999, "HTTP/1.1 999 ")] {
            head.status = status
            var out: [UInt8] = []
            HeadWriter.write(response: head, into: &out)
            #expect(latin1(out) == line + "\r\n\r\n")
        }
    }

    @Test("a request reads back as it was, whatever was changed about its fields")
    func request() throws {
        var head = RequestHead()
        let text = HTTPTests.request("PROPFIND http://a/x HTTP/1.1", "Host: a", "A:1", "B: 2", "C: 3 ", "D: 4")
        _ = try #require(parse(request: bytes(text), into: &head).head)
        var out: [UInt8] = []
        HeadWriter.write(request: head, into: &out)
        #expect(latin1(out) == text)
        head.fields.remove(at: 2)
        head.fields.replaceValue(at: 2, with: bytes("three").span)
        head.fields.insert(name: "New", value: bytes("n").span, at: 1)
        out = []
        HeadWriter.write(request: head, into: &out)
        #expect(
            latin1(out)
                == HTTPTests.request("PROPFIND http://a/x HTTP/1.1", "Host: a", "New: n", "A:1", "C: three", "D: 4"))
    }
}

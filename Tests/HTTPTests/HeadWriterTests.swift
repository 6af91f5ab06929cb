import HTTP
import Testing

struct HeadWriterTests {
    @Test("A head that was read is written as it came, in our version")
    func response() throws {
        var head = ResponseHead()
        var parser = ResponseHeadParser()
        for line in ["HTTP/1.0 299 Odd \u{e9}\r\n", "a:b\r\n", "C:  d \r\n", "e:\r\n", "\r\n"] {
            _ = try parser.feed(bytes(line).span, requestMethod: .get, into: &head)
        }
        var out = bytes("before ")
        HeadWriter.write(response: head, into: &out)
        #expect(text(out) == "before HTTP/1.1 299 Odd \u{e9}\r\na:b\r\nC:  d \r\ne:\r\n\r\n")
    }

    @Test("Where no phrase came, the status' own is written, if it has one")
    func phrases() {
        var head = ResponseHead()
        for (status, line) in [(508, "HTTP/1.1 508 Loop Detected\r\n\r\n"), (299, "HTTP/1.1 299 \r\n\r\n")] {
            head.status = status
            var out: [UInt8] = []
            HeadWriter.write(response: head, into: &out)
            #expect(text(out) == line)
        }
    }

    @Test(
        "Every status that we answer with has a phrase",
        arguments: [100, 101, 200, 400, 403, 407, 408, 413, 417, 421, 431, 500, 501, 502, 503, 504, 505, 508])
    func ourStatuses(_ status: Int) { #expect(ReasonPhrase.of(status) != nil) }
}

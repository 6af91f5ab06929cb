import HTTP
import Testing

struct RequestHeadTests {
    @Test("A preflight is an OPTIONS request that names a method")
    func preflight() throws {
        let field = "Access-Control-Request-Method: PUT\r\n"
        #expect(try parsedHead("OPTIONS /a HTTP/1.1\r\nHost: a\r\n\(field)\r\n").isPreflight)
        #expect(try !parsedHead("OPTIONS /a HTTP/1.1\r\nHost: a\r\n\r\n").isPreflight)
        #expect(try !parsedHead("GET /a HTTP/1.1\r\nHost: a\r\n\(field)\r\n").isPreflight)
    }

    @Test("A head is used again without a trace of the one before")
    func reuse() throws {
        var parser = RequestHeadParser(limits: HeadLimits())
        var head = RequestHead()
        let first = bytes(
            "POST http://a/long HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 3\r\n\r\n"
        )
        let second = bytes("GET / HTTP/1.1\r\nHost: b\r\n\r\n")
        _ = try parser.parse(first.span, into: &head)
        parser.reset()
        let length = try parser.parse(second.span, into: &head)
        #expect(parseRequest(second) == .whole(HeadSummary(head, length: length ?? 0)))
        #expect(head.fields.index(of: .connection) == nil)
    }
}

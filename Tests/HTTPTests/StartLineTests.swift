import HTTP
import Testing

struct StartLineTests {
    @Test(
        "The target's form is recognised",
        arguments: [
            ("GET /a?b", RequestTarget.origin, "/a?b"),
            ("GET //a", .origin, "//a"),
            ("GET http://a/", .absolute(.http, authority: 7..<8, path: 8..<9), "/"),
            ("GET http://a", .absolute(.http, authority: 7..<8, path: 8..<8), "/"),
            ("GET hTTp://a?b=/c", .absolute(.http, authority: 7..<8, path: 8..<13), "/?b=/c"),
            ("GET https://a:1/b//c", .absolute(.https, authority: 8..<11, path: 11..<16), "/b//c"),
            ("GET http:///x", .absolute(.http, authority: 7..<7, path: 7..<9), "/x"),
            ("GET http://u@a\\@b/x", .absolute(.http, authority: 7..<13, path: 13..<15), "/x"),
            ("OPTIONS *", .asterisk, "*"),
            ("OPTIONS http://a", .absolute(.http, authority: 7..<8, path: 8..<8), "*"),
            ("OPTIONS http://a/", .absolute(.http, authority: 7..<8, path: 8..<9), "/"),
            ("CONNECT a:443", .authority, "a:443"),
            ("CONNECT http://a/", .authority, "http://a/"),
        ])
    func forms(_ line: String, _ target: RequestTarget, _ originForm: String) throws {
        let head = try parsedHead("\(line) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(head.target == target)
        var out: [UInt8] = [1, 2, 3]
        head.writeOriginForm(into: &out)
        #expect(text(out) == originForm)
    }

    @Test("A higher minor version counts as 1.1")
    func versions() throws {
        #expect(try parsedHead("GET / HTTP/1.0\r\n\r\n").version == .http10)
        #expect(try parsedHead("GET / HTTP/1.1\r\nHost: a\r\n\r\n").version == .http11)
        #expect(try parsedHead("GET / HTTP/1.9\r\nHost: a\r\n\r\n").version == .http11)
    }

    @Test("A method is any token, and its bytes are kept")
    func methods() throws {
        let head = try parsedHead("get / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(head.method == .other)
        #expect(text(head.methodBytes) == "get")
        #expect(try parsedHead("M-SEARCH / HTTP/1.1\r\nHost: a\r\n\r\n").method == .other)
    }
}

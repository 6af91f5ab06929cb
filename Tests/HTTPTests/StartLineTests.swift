import HTTP
import Testing

@Suite("Request lines")
struct StartLineTests {
    private func parse(line: String) -> Outcome<ParsedRequest> { HTTPTests.parse(request(line, "Host: a")) }

    @Test(
        "methods are known by their bytes, and case matters",
        arguments: [
            ("GET", Method.get), ("HEAD", .head), ("POST", .post), ("PUT", .put), ("DELETE", .delete),
            ("OPTIONS", .options),
            ("TRACE", .trace), ("PATCH", .patch), ("get", .other), ("PROPFIND", .other), ("M-SEARCH", .other),
            ("!#$%&'*+", .other),
            ("PRI", .other),
        ])
    func methods(text: String, method: Method) {
        let head = parse(line: "\(text) / HTTP/1.1").head
        #expect(head?.method == method)
        #expect(head?.methodText == text)
    }

    @Test(
        "every form of target is told apart",
        arguments: [
            ("GET", "/", RequestTarget.origin, "/"),
            ("GET", "/a?b=c", .origin, "/a?b=c"),
            ("GET", "//a@b/c", .origin, "//a@b/c"),
            ("GET", "/#x", .origin, "/#x"),
            ("GET", "http://a", .absolute(.http, authority: 7..<8, path: 8..<8), ""),
            ("GET", "http://a/", .absolute(.http, authority: 7..<8, path: 8..<9), "/"),
            ("GET", "HTTP://A/", .absolute(.http, authority: 7..<8, path: 8..<9), "/"),
            ("GET", "hTTps://a:8443?q", .absolute(.https, authority: 8..<14, path: 14..<16), "?q"),
            ("GET", "http://[::1]:80/x@y", .absolute(.http, authority: 7..<15, path: 15..<19), "/x@y"),
            ("CONNECT", "a:443", .authority, "a:443"),
            ("CONNECT", "[::1]:443", .authority, "[::1]:443"),
            ("OPTIONS", "*", .asterisk, "*"),
            ("OPTIONS", "http://a", .absolute(.http, authority: 7..<8, path: 8..<8), ""),
        ])
    func forms(method: String, text: String, target: RequestTarget, path: String) {
        let head = parse(line: "\(method) \(text) HTTP/1.1").head
        #expect(head?.target == target)
        #expect(head?.targetText == text)
        #expect(head?.path == path)
    }

    @Test(
        "a request line that is not one is refused with its reason",
        arguments: [
            ("GET", HTTPError.Reason.malformedStartLine), ("GET /", .malformedStartLine), ("GET / ", .malformedVersion),
            (" GET / HTTP/1.1", .malformedMethod), ("G\u{e4}T / HTTP/1.1", .malformedMethod),
            ("G(T / HTTP/1.1", .malformedMethod),
            ("GET\t/ HTTP/1.1", .malformedMethod), ("GET  / HTTP/1.1", .malformedTarget),
            ("GET  HTTP/1.1", .malformedTarget),
            ("GET /a b HTTP/1.1", .malformedVersion), ("GET /\tHTTP/1.1", .malformedTarget),
            ("GET /  HTTP/1.1", .malformedVersion),
            ("GET / HTTP/1.1 ", .malformedVersion), ("GET / HTTP/1.1\t", .malformedVersion),
            ("GET / http/1.1", .malformedVersion),
            ("GET / HTTP/1", .malformedVersion), ("GET / HTTP/1.10", .malformedVersion),
            ("GET / HTTP/01.1", .malformedVersion),
            ("GET / HTTP/1,1", .malformedVersion), ("GET / HTTP/a.1", .malformedVersion),
            ("GET / HTTP/1.x", .malformedVersion),
            ("GET / HTTQ/1.1", .malformedVersion), ("GET / HTTP/ 1.1", .malformedVersion),
            ("GET / HTTP/11", .malformedVersion),
            ("GET / HTTP/0.9", .unsupportedVersion), ("GET / HTTP/2.0", .unsupportedVersion),
            ("PRI * HTTP/2.0", .unsupportedVersion),
            ("GET / HTTP/3.0", .unsupportedVersion), ("GET / HTTP/9.9", .unsupportedVersion),
            ("GET * HTTP/1.1", .malformedTarget), ("GET a HTTP/1.1", .malformedTarget),
            ("GET a/b HTTP/1.1", .malformedTarget),
            ("GET www.example.org:80 HTTP/1.1", .malformedTarget), ("GET ?q HTTP/1.1", .malformedTarget),
            ("GET http:/a HTTP/1.1", .malformedTarget), ("GET http: HTTP/1.1", .malformedTarget),
            ("GET ftp://a/ HTTP/1.1", .unsupportedScheme), ("GET ws://a/ HTTP/1.1", .unsupportedScheme),
            ("GET file:///etc/passwd HTTP/1.1", .unsupportedScheme),
            ("GET http:///x HTTP/1.1", .malformedAuthority), ("GET http://?x HTTP/1.1", .malformedAuthority),
            ("GET http://u:p@a/ HTTP/1.1", .userinfoInTarget), ("GET http://u@a HTTP/1.1", .userinfoInTarget),
            ("GET http://@a/ HTTP/1.1", .userinfoInTarget), ("GET https://a:b@c:1/ HTTP/1.1", .userinfoInTarget),
            ("CONNECT u@a:443 HTTP/1.1", .userinfoInTarget), ("CONNECT a:443/x HTTP/1.1", .malformedAuthority),
            ("CONNECT /x HTTP/1.1", .malformedAuthority), ("CONNECT http://a:443/ HTTP/1.1", .malformedAuthority),
            ("GET http://a#x HTTP/1.1", .fragmentInTarget),
        ])
    func refused(line: String, reason: HTTPError.Reason) { #expect(parse(line: line) == .refused(reason)) }

    @Test("a higher minor version is treated as 1.1 (RFC 9110 §2.5)")
    func minorVersions() {
        #expect(parse(line: "GET / HTTP/1.0").head?.version == .http10)
        for minor in 1...9 { #expect(parse(line: "GET / HTTP/1.\(minor)").head?.version == .http11) }
    }

    @Test("only controls, SP and DEL are refused in a target")
    func everyByteOfATarget() {
        for byte in UInt8.min...UInt8.max {
            for prefix in ["GET /", "GET http://a/"] {
                let head = bytes(prefix) + [byte] + bytes("x HTTP/1.1\r\nHost: a\r\n\r\n")
                let isFine = byte > 0x20 && byte != 0x7f
                #expect((HTTPTests.parse(request: head).head != nil) == isFine, "byte \(byte)")
            }
        }
    }
}

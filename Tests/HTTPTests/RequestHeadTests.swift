import HTTP
import Testing

@Suite("Targets and Host")
struct RequestHeadTests {
    private func head(_ text: String) -> RequestHead {
        var head = RequestHead()
        #expect(parse(request: bytes(text), into: &head).head != nil)
        return head
    }

    @Test(
        "an origin gets the target in origin form, byte for byte (RFC 9112 §3.2.1, §3.2.4)",
        arguments: [
            ("GET", "http://a/x?y", "/x?y"), ("GET", "http://a", "/"), ("GET", "http://a?q", "/?q"),
            ("GET", "http://a/", "/"),
            ("GET", "/x", "/x"), ("OPTIONS", "http://www.example.org:8001", "*"), ("OPTIONS", "http://a/", "/"),
            ("OPTIONS", "http://a?q", "/?q"),
            ("OPTIONS", "*", "*"), ("GET", "https://a//../%2e|{}^\"<>\u{e4}#f", "//../%2e|{}^\"<>\u{e4}#f"),
        ])
    func originForm(method: String, target: String, form: String) {
        var out = bytes("old")
        head(request("\(method) \(target) HTTP/1.1", "Host: a")).writeOriginForm(into: &out)
        #expect(latin1(out) == form)
    }

    @Test("a preflight is OPTIONS with Access-Control-Request-Method")
    func preflight() {
        #expect(head(request("OPTIONS / HTTP/1.1", "Host: a", "Access-Control-Request-Method: PUT")).isPreflight)
        #expect(!head(request("OPTIONS / HTTP/1.1", "Host: a")).isPreflight)
        #expect(!head(request("GET / HTTP/1.1", "Host: a", "Access-Control-Request-Method: PUT")).isPreflight)
    }
}

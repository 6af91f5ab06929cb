import HTTP
import Testing

struct RequestRulesTests {
    @Test(
        "The body ends where the fields say",
        arguments: [
            ("", BodyFraming.none), ("Content-Length: 0\r\n", .length(0)), ("Content-Length: 0012\r\n", .length(12)),
            ("Content-Length: 9223372036854775807\r\n", .length(9_223_372_036_854_775_807)),
            ("Transfer-Encoding: CHUNKED\r\n", .chunked),
        ])
    func framing(_ fields: String, _ framing: BodyFraming) throws {
        #expect(try parsedHead("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n").framing == framing)
    }

    @Test(
        "A connection is kept as the version and the options say",
        arguments: [
            ("1.1", "", true), ("1.1", "Connection: close", false), ("1.1", "Connection: foo, CLOSE", false),
            ("1.1", "Connection: foo\r\nConnection: close", false), ("1.1", "Proxy-Connection: close", false),
            ("1.1", "Connection: closed", true), ("1.1", "Proxy-Connection: keep-alive", true),
            ("1.0", "", false), ("1.0", "Connection: keep-alive", false),
            ("1.0", "Proxy-Connection: keep-alive", false),
        ])
    func keepAlive(_ version: String, _ fields: String, _ isKept: Bool) throws {
        let fields = fields.isEmpty ? "" : fields + "\r\n"
        #expect(try parsedHead("GET / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n").keepAlive == isKept)
    }

    @Test(
        "Only an HTTP/1.1 client is waited for with 100-continue",
        arguments: [
            ("1.1", "100-continue", true), ("1.1", "100-CONTINUE", true), ("1.1", "100-continues", false),
            ("1.0", "100-continue", false),
        ])
    func expect(_ version: String, _ value: String, _ expects: Bool) throws {
        let head = try parsedHead("PUT / HTTP/\(version)\r\nHost: a\r\nContent-Length: 1\r\nExpect: \(value)\r\n\r\n")
        #expect(head.expectsContinue == expects)
    }

    @Test(
        "An upgrade to WebSocket takes a GET of HTTP/1.1 without a body, the protocol and the option",
        arguments: [
            ("GET / HTTP/1.1", "Connection: Upgrade\r\nUpgrade: websocket", true),
            ("GET / HTTP/1.1", "Connection: keep-alive, upgrade\r\nUpgrade: foo/1, WebSocket", true),
            ("GET / HTTP/1.1", "Upgrade: websocket", false),
            ("GET / HTTP/1.1", "Connection: Upgrade", false),
            ("GET / HTTP/1.1", "Connection: Upgrade\r\nUpgrade: h2c", false),
            ("GET / HTTP/1.1", "Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 1", false),
            ("GET / HTTP/1.0", "Connection: Upgrade\r\nUpgrade: websocket", false),
            ("POST / HTTP/1.1", "Connection: Upgrade\r\nUpgrade: websocket", false),
        ])
    func upgrade(_ line: String, _ fields: String, _ upgrades: Bool) throws {
        #expect(try parsedHead("\(line)\r\nHost: a\r\n\(fields)\r\n\r\n").upgradesToWebSocket == upgrades)
    }

    @Test("Host may be empty in HTTP/1.1 and missing in HTTP/1.0, and is otherwise an authority")
    func host() throws {
        for host in ["", "a", "A.b:80", "a:", "[::1]:1", "127.0.0.1", "a_b.c."] {
            _ = try parsedHead("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        }
        _ = try parsedHead("GET / HTTP/1.0\r\n\r\n")
    }
}

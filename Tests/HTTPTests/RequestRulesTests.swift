import HTTP
import Testing

@Suite("What fields mean for a request")
struct RequestRulesTests {
    private func parse(_ lines: String..., method: String = "POST", version: String = "1.1") -> Outcome<ParsedRequest> {
        let head = (["\(method) / HTTP/\(version)"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
        return HTTPTests.parse(head)
    }

    @Test(
        "a Content-Length is digits and nothing else, up to 2^63 - 1",
        arguments: [
            ("0", UInt64(0)), ("7", 7), ("007", 7), ("12345", 12345), ("9223372036854775807", UInt64(Int64.max)),
        ])
    func lengths(text: String, length: UInt64) {
        #expect(parse("Host: a", "Content-Length: \(text)").head?.framing == .length(length))
        #expect(parse("Host: a", "Content-Length:\t\(text) ", version: "1.0").head?.framing == .length(length))
    }

    @Test(
        "an odd Content-Length is refused",
        arguments: [
            "", " ", "+1", "-1", "1, 1", "1,1", "1 1", "0x10", "1.0", "1e3", "a", "\u{b2}", "9223372036854775808",
            "18446744073709551615", "18446744073709551616", "99999999999999999999999999", "1;", "\"1\"",
        ])
    func oddLengths(text: String) {
        #expect(parse("Host: a", "Content-Length: \(text)") == .refused(.malformedContentLength))
    }

    @Test("a repeated Content-Length is refused, equal or not")
    func repeatedLengths() {
        #expect(parse("Host: a", "Content-Length: 1", "content-length: 1") == .refused(.repeatedContentLength))
        #expect(parse("Content-Length: 1", "Host: a", "Content-Length: 2") == .refused(.repeatedContentLength))
    }

    @Test("Transfer-Encoding is chunked, whatever its case, and nothing else")
    func codings() {
        #expect(parse("Host: a", "Transfer-Encoding: chunked").head?.framing == .chunked)
        #expect(parse("Host: a", "TRANSFER-ENCODING:ChunkeD \t").head?.framing == .chunked)
        let others = [
            "", "gzip", "gzip, chunked", "chunked, gzip", "chunked, chunked", "chunked,", ",chunked", "identity",
            "xchunked",
            "chunked;q=1", "\"chunked\"", "chunked chunked", "\u{e4}chunked", "chunked\u{a0}",
        ]
        for other in others {
            #expect(parse("Host: a", "Transfer-Encoding: \(other)") == .refused(.unknownTransferEncoding), "\(other)")
        }
        let twice = parse("Host: a", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked")
        #expect(twice == .refused(.unknownTransferEncoding))
    }

    @Test("both framings are refused, and Transfer-Encoding in HTTP/1.0")
    func bothFramings() {
        let both = HTTPError.Reason.lengthAndTransferEncoding
        #expect(parse("Host: a", "Content-Length: 1", "Transfer-Encoding: chunked") == .refused(both))
        #expect(parse("Host: a", "Transfer-Encoding: gzip", "Content-Length: 0") == .refused(both))
        #expect(parse("Transfer-Encoding: chunked", version: "1.0") == .refused(.transferEncodingInHTTP10))
    }

    @Test("spellings that smuggle are no framing fields, or no fields at all")
    func smuggling() {
        #expect(parse("Host: a", "Transfer_Encoding: chunked").head?.framing == BodyFraming.none)
        #expect(parse("Host: a", "Transfer-Encoding : chunked") == .refused(.blankBeforeColon))
        #expect(parse("Host: a", " Transfer-Encoding: chunked") == .refused(.foldedField))
        #expect(parse("Host: a", "Transfer-Encoding:\u{b}chunked") == .refused(.controlByte))
        #expect(parse("Host: a", "X: y\rTransfer-Encoding: chunked") == .refused(.bareCarriageReturn))
    }

    @Test("CONNECT has no content")
    func connect() {
        func parse(_ lines: String...) -> Outcome<ParsedRequest> {
            HTTPTests.parse((["CONNECT a:443 HTTP/1.1", "Host: a:443"] + lines).joined(separator: "\r\n") + "\r\n\r\n")
        }
        #expect(parse().head?.framing == BodyFraming.none)
        #expect(parse("Content-Length: 0").head?.framing == BodyFraming.none)
        #expect(parse("Content-Length: 1") == .refused(.bodyNotAllowed))
        #expect(parse("Transfer-Encoding: chunked") == .refused(.bodyNotAllowed))
    }

    @Test("HTTP/1.1 needs exactly one Host, HTTP/1.0 at most one")
    func hosts() {
        #expect(parse() == .refused(.missingHost))
        #expect(parse("X-Host: a") == .refused(.missingHost))
        #expect(parse("Host: a", "host: a") == .refused(.repeatedHost))
        #expect(parse(version: "1.0").head != nil)
        #expect(parse("Host: a", version: "1.0").head != nil)
        #expect(parse("Host: a", "Host: b", version: "1.0") == .refused(.repeatedHost))
    }

    @Test(
        "Host is a host and perhaps a port",
        arguments: [
            ("a", true), ("a.b-c_d.test:80", true), ("A.TEST.", true), ("a:", true), ("127.0.0.1:1", true),
            ("[::1]", true),
            ("[::1]:8080", true), ("[::ffff:1.2.3.4]:1", true), ("", false), (":80", false), ("a b", false),
            ("a,b", false),
            ("a:b", false), ("a:80:80", false), ("a:0", false), ("a:65536", false), ("a:+1", false), ("u@a", false),
            ("a/b", false),
            ("http://a", false), ("::1", false), ("[::1", false), ("[::1]x", false), ("[]", false),
            ("[::1%25eth0]", false),
            ("a..b", false), (".a", false), ("a%2e", false), ("\u{e4}", false), ("a?b", false), ("a#b", false),
            ("a\\b", false),
        ])
    func hostValues(value: String, isFine: Bool) {
        #expect((parse("Host: \(value)").head != nil) == isFine)
        if !isFine { #expect(parse("Host: \(value)", version: "1.0") == .refused(.malformedHost)) }
    }

    @Test("persistence follows version, Connection and Proxy-Connection (RFC 9112 §9.3)")
    func keepAlive() {
        #expect(parse("Host: a").head?.keepAlive == true)
        #expect(parse("Host: a", "Connection: close").head?.keepAlive == false)
        #expect(parse("Host: a", "Connection: x, CLOSE ,y").head?.keepAlive == false)
        #expect(parse("Host: a", "Connection: x", "Connection: close").head?.keepAlive == false)
        #expect(parse("Host: a", "Proxy-Connection: close").head?.keepAlive == false)
        #expect(parse("Host: a", "Connection: closed").head?.keepAlive == true)
        #expect(parse(version: "1.0").head?.keepAlive == false)
        #expect(parse("Connection: Keep-Alive", version: "1.0").head?.keepAlive == false)
        #expect(parse("Proxy-Connection: Keep-Alive", version: "1.0").head?.keepAlive == false)
        #expect(parse("Connection: keep-alive, close", version: "1.0").head?.keepAlive == false)
    }

    @Test("Expect counts in HTTP/1.1 only (RFC 9110 §10.1.1)")
    func expect() {
        #expect(parse("Host: a", "Expect: 100-Continue").head?.expectsContinue == true)
        #expect(parse("Host: a", "Expect: x").head?.expectsContinue == false)
        #expect(parse("Expect: 100-continue", version: "1.0").head?.expectsContinue == false)
    }

    @Test("a WebSocket upgrade is a GET of HTTP/1.1 without a body, with Upgrade and its Connection")
    func upgrade() {
        func upgrades(_ lines: String..., method: String = "GET", version: String = "1.1") -> Bool? {
            HTTPTests.parse(
                (["\(method) / HTTP/\(version)", "Host: a"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
            )
            .head?.upgrades
        }
        #expect(upgrades("Upgrade: WebSocket", "Connection: keep-alive, Upgrade") == true)
        #expect(upgrades("Upgrade: h2c, websocket", "Connection: upgrade") == true)
        #expect(upgrades("Upgrade: websocket") == false)
        #expect(upgrades("Connection: upgrade") == false)
        #expect(upgrades("Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings") == false)
        #expect(upgrades("Upgrade: websocket", "Connection: upgrade", method: "POST") == false)
        #expect(upgrades("Upgrade: websocket", "Connection: upgrade", version: "1.0") == false)
        #expect(upgrades("Upgrade: websocket", "Connection: upgrade", "Content-Length: 1") == false)
    }
}

import HTTP
import Testing

@Suite("Request heads")
struct RequestHeadParserTests {
    @Test("RFC 9112 §3.2.2: an absolute target, with method, version, path and fields as they were written")
    func absolute() throws {
        let text = request("GET http://www.example.org/pub/WWW/TheProject.html HTTP/1.1", "Host: www.example.org")
        let head = try #require(parse(text).head)
        #expect(head.method == .get)
        #expect(head.methodText == "GET")
        #expect(head.target == .absolute(.http, authority: 7..<22, path: 22..<46))
        #expect(head.path == "/pub/WWW/TheProject.html")
        #expect(head.version == .http11)
        #expect(head.lines == ["Host: www.example.org"])
        #expect(head.framing == .none)
        #expect(head.keepAlive)
        #expect(head.consumed == text.utf8.count)
    }

    @Test("names, values, order, repetition and blanks of fields stay as they came")
    func fieldsAsTheyCame() throws {
        let lines = [
            "hOsT:a", "X-B:   two  words \t", "x-a:1", "X-A: 2", "Empty:", "Blank: \t ",
            "Odd!#$%&'*+-.^_`|~: \u{e4}\u{80}\u{ff}",
        ]
        let head = try #require(parse(([("GET / HTTP/1.1")] + lines).joined(separator: "\r\n") + "\r\n\r\n").head)
        #expect(head.lines == lines)
    }

    @Test("what follows a head is not touched: pipelined requests are taken one by one")
    func pipelined() throws {
        let first = request("GET /1 HTTP/1.1", "Host: a")
        let second = request("GET /2 HTTP/1.1", "Host: a", "Cookie: b")
        var rest = bytes(first + second + "POST")
        var head = RequestHead()
        let one = try #require(parse(request: rest, into: &head).head)
        #expect(one.path == "/1")
        #expect(one.consumed == first.utf8.count)
        rest.removeFirst(one.consumed)
        let two = try #require(parse(request: rest, into: &head).head)
        #expect(two.path == "/2")
        #expect(two.lines == ["Host: a", "Cookie: b"])
        rest.removeFirst(two.consumed)
        #expect(parse(request: rest, into: &head) == .incomplete)
    }

    @Test("one or two empty lines before the request line are skipped, a third is not")
    func emptyLinesBefore() {
        let text = request("GET / HTTP/1.1", "Host: a")
        #expect(parse("\r\n" + text).head?.consumed == text.utf8.count + 2)
        #expect(parse("\r\n\r\n" + text).head?.consumed == text.utf8.count + 4)
        #expect(parse("\r\n\r\n\r\n" + text).reason == .malformedStartLine)
        #expect(parse("\n" + text).reason == .bareLineFeed)
    }

    @Test(
        "a malformed head is refused with its reason",
        arguments: [
            ("GET / HTTP/1.1\nHost: a\n\n", HTTPError.Reason.bareLineFeed),
            ("GET / HTTP/1.1\r\nHost: a\n\r\n", .bareLineFeed),
            ("GET / HTTP/1.1\r\nHost: a\r\n\n", .bareLineFeed),
            ("GET / HTTP/1.1\r\nHost: a\r\n\rX", .bareCarriageReturn),
            ("GET / HTTP/1.1\rHost: a\r\n\r\n", .bareCarriageReturn),
            ("GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", .bareCarriageReturn),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", .bareCarriageReturn),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: a\r\r\n\r\n", .bareCarriageReturn),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n", .controlByte),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{1f}\r\n\r\n", .controlByte),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{7f}\r\n\r\n", .controlByte),
            ("GET / HTTP/1.1\r\nHost: a\r\nX\u{0}: a\r\n\r\n", .controlByte),
            ("\u{16}\u{03}\u{01}", .controlByte),
            ("GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n", .blankBeforeColon),
            ("GET / HTTP/1.1\r\nHost: a\r\nX\t: b\r\n\r\n", .blankBeforeColon),
            ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .blankBeforeColon),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", .foldedField),
            ("GET / HTTP/1.1\r\nHost: a\r\n\tX: b\r\n\r\n", .foldedField),
            ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", .foldedField),
            ("GET / HTTP/1.1\r\nHost: a\r\n \r\n\r\n", .foldedField),
            ("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", .malformedFieldName),
            ("GET / HTTP/1.1\r\nHost: a\r\nX(: b\r\n\r\n", .malformedFieldName),
            ("GET / HTTP/1.1\r\nHost: a\r\nX\u{e4}: b\r\n\r\n", .malformedFieldName),
            ("GET / HTTP/1.1\r\nHost: a\r\nno-colon\r\n\r\n", .missingColon),
        ])
    func malformed(text: String, reason: HTTPError.Reason) { #expect(parse(text) == .refused(reason)) }

    @Test("every control byte but HTAB is refused in a field value, every other byte passes")
    func everyByteOfAValue() {
        for byte in UInt8.min...UInt8.max {
            let head = bytes("GET / HTTP/1.1\r\nHost: a\r\nX: 0123456a") + [byte] + bytes("b\r\n\r\n")
            let isFine = byte == 0x09 || (byte >= 0x20 && byte != 0x7f)
            #expect((parse(request: head).head != nil) == isFine, "byte \(byte)")
        }
    }

    @Test("a field name is a token, whatever byte is tried")
    func everyByteOfAName() {
        for byte in UInt8.min...UInt8.max {
            let head = bytes("GET / HTTP/1.1\r\nHost: a\r\nX-") + [byte] + bytes("y: 1\r\n\r\n")
            #expect((parse(request: head).head != nil) == (isTokenByte(byte) || byte == 0x3a), "byte \(byte)")
        }
    }

    @Test("a head may have as many bytes as the bound says, and not one more")
    func headBytes() {
        let text = request("GET / HTTP/1.1", "Host: a", "X: 0123456789")
        let size = text.utf8.count
        #expect(parse(text, limits: HeadLimits(headBytes: size)).head != nil)
        for bound in 1..<size {
            #expect(parse(text, limits: HeadLimits(headBytes: bound)) == .refused(.headTooLarge), "\(bound)")
        }
        // Empty lines before the head do not count.
        #expect(parse("\r\n\r\n" + text, limits: HeadLimits(headBytes: size)).head != nil)
        #expect(parse("\r\n\r\n" + text, limits: HeadLimits(headBytes: size - 1)) == .refused(.headTooLarge))
    }

    @Test("a head that never ends is refused as soon as it is over the bound")
    func endless() {
        let limits = HeadLimits(headBytes: 1000)
        #expect(parse("GET /" + String(repeating: "a", count: 994), limits: limits) == .incomplete)
        #expect(parse("GET /" + String(repeating: "a", count: 995), limits: limits) == .refused(.headTooLarge))
    }

    @Test("a head may have as many fields as the bound says, and not one more")
    func headFields() {
        func head(_ count: Int) -> String {
            "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: count - 1) + "\r\n"
        }
        #expect(parse(head(200)).head?.lines.count == 200)
        #expect(parse(head(201)) == .refused(.tooManyFields))
    }

    @Test("statuses: 431 for size, 501 for codings, 505 for versions, 400 for the rest; framing is always lost")
    func statuses() {
        let expected: [(String, Int)] = [
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n", 505), ("GET ftp://a/ HTTP/1.1\r\n", 400),
            ("GET http://u@a/ HTTP/1.1\r\n", 400),
            (request("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: gzip"), 501),
            ("GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 201), 431),
            ("GET /" + String(repeating: "a", count: 70_000), 431),
        ]
        for (text, status) in expected {
            var parser = RequestHeadParser(limits: HeadLimits())
            var head = RequestHead()
            let error = #expect(throws: HTTPError.self) { _ = try parser.parse(bytes(text).span, into: &head) }
            #expect(error?.status == status)
            #expect(error?.framingLost == true)
            #expect(!head.keepAlive)
        }
    }

    @Test("a head that is refused, or not whole, says nothing of the request before it")
    func nothingOfTheOneBefore() throws {
        let before = bytes(
            request("POST http://shop.test/a/long/path?with=query HTTP/1.1", "Host: shop.test", "Accept: a/b"))
        let refused = [
            "GET /a HTTP/9.9\r\n", "GET ", "@", "G\u{0}", "GET x HTTP/1.1\r\n", "GET http:// HTTP/1.1\r\n",
            "P / HTTP/1.1\r\nX y\r\n",
        ]
        for text in refused {
            var head = RequestHead()
            _ = try #require(parse(request: before, into: &head).head)
            _ = parse(request: bytes(text), into: &head)
            #expect(head.fields.count == 0)
            #expect(latin1(head.pathBytes).contains("long") == false)
            var form: [UInt8] = []
            head.writeOriginForm(into: &form)
        }
    }

    @Test("after a refusal the fields that were whole can be read, and what was cut off cannot")
    func fieldsBeforeTheFault() {
        var head = RequestHead()
        let text = "GET / HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\nbad line\r\n\r\n"
        for cut in 0...text.utf8.count {
            _ = parse(request: bytes(text), cuts: [cut], into: &head)
            #expect(lines(of: head.fields) == ["Host: a", "Accept: application/json"])
        }
    }

    @Test("a parser that was reset knows nothing of the head before")
    func reset() throws {
        var parser = RequestHeadParser(limits: HeadLimits())
        var head = RequestHead()
        let text = bytes(request("GET /1 HTTP/1.1", "Host: a"))
        for _ in 0..<3 {
            #expect(try parser.parse(text.span.extracting(first: 20), into: &head) == nil)
            parser.reset()
            #expect(try parser.parse(text.span, into: &head) == text.count)
            parser.reset()
        }
    }
}

/// tchar, said anew (RFC 9110 §5.6.2).
func isTokenByte(_ byte: UInt8) -> Bool {
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8.contains(byte)
}

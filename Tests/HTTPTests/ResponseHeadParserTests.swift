import HTTP
import Testing

@Suite("Response heads")
struct ResponseHeadParserTests {
    /// Line by line and as a block: they must agree.
    private func parse(_ lines: String..., method: Method = .get) -> Outcome<ParsedResponse> {
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n"
        let fed = feed(text, method: method)
        #expect(HTTPTests.parse(response: bytes(text), method: method) == fed)
        return fed
    }

    @Test("status, reason, version and fields stay as they came")
    func asTheyCame() throws {
        let head = try #require(parse("HTTP/1.0 404 Nicht da\u{df}", "X-a:  b \t", "x-A: c", "Empty:").head)
        #expect(head.status == 404)
        #expect(head.reason == "Nicht da\u{df}")
        #expect(head.version == .http10)
        #expect(head.lines == ["X-a:  b \t", "x-A: c", "Empty:"])
        #expect(head.framing == .untilClose)
        #expect(!head.keepAlive)
    }

    @Test(
        "status lines",
        arguments: [
            ("HTTP/1.1 200 OK", 200), ("HTTP/1.1 200 ", 200), ("HTTP/1.1 200", 200), ("HTTP/1.1 999 Odd", 999),
            ("HTTP/1.1 100 ", 100),
            ("HTTP/1.2 200 OK", 200), ("HTTP/1.1 200  two", 200), ("HTTP/1.1 099 No", nil), ("HTTP/1.1 20 No", nil),
            ("HTTP/1.1 2000 No", nil), ("HTTP/1.1 2x0 No", nil), ("HTTP/1.1 -20 No", nil), ("HTTP/1.1  200 OK", nil),
            ("HTTP/1.1\t200 OK", nil), ("HTTP/1.1 200\tOK", nil), ("HTTP/2 200", nil), ("HTTP/2.0 200 OK", nil),
            ("HTTP/0.9 200 OK", nil),
            ("ICY 200 OK", nil), ("http/1.1 200 OK", nil), ("HTTP/1.1", nil), ("", nil), ("200 OK", nil),
            (" HTTP/1.1 200 OK", nil),
        ] as [(String, Int?)])
    func statusLines(line: String, status: Int?) {
        let outcome = parse(line)
        if let status {
            #expect(outcome.head?.status == status)
        } else {
            #expect(outcome == .refused(.malformedStatusLine))
        }
    }

    @Test(
        "what libcurl lets pass and no client should see is refused",
        arguments: [
            ("Content-Length: 2\r\nTransfer-Encoding: chunked", HTTPError.Reason.lengthAndTransferEncoding),
            ("Content-Length: 2\r\nContent-Length: 3", .repeatedContentLength),
            ("Content-Length: 2\r\nContent-Length: 2", .repeatedContentLength),
            ("Content-Length: 2, 2", .malformedContentLength), ("Content-Length: +2", .malformedContentLength),
            ("Content-Length:", .malformedContentLength),
            ("Content-Length: 9223372036854775808", .malformedContentLength),
            ("Transfer-Encoding: gzip, chunked", .unknownTransferEncoding),
            ("Transfer-Encoding: identity", .unknownTransferEncoding),
            ("X: a\rb", .bareCarriageReturn), ("X: a\r", .bareCarriageReturn), ("X: a\u{0}b", .controlByte),
            ("X: \u{1}", .controlByte),
            ("X: \u{7f}", .controlByte), ("Name : v", .blankBeforeColon), ("no colon here", .blankBeforeColon),
            ("nocolon", .missingColon),
            (": v", .malformedFieldName), ("N\u{e4}me: v", .malformedFieldName), (" folded: first", .foldedField),
        ])
    func refused(field: String, reason: HTTPError.Reason) {
        #expect(parse("HTTP/1.1 200 OK", field) == .refused(reason))
    }

    @Test("bare LF is refused wherever it stands")
    func bareLineFeeds() {
        #expect(feed("HTTP/1.1 200 OK\n") == .refused(.bareLineFeed))
        #expect(feed("HTTP/1.1 200 OK\r\nX: y\n") == .refused(.bareLineFeed))
        #expect(feed("HTTP/1.1 200 OK\r\nX: y\r\n\n") == .refused(.bareLineFeed))
    }

    @Test("HTTP/1.0 has no Transfer-Encoding")
    func codingInHTTP10() {
        #expect(parse("HTTP/1.0 200 OK", "Transfer-Encoding: chunked") == .refused(.transferEncodingInHTTP10))
    }

    @Test("folded fields are unfolded with one space (RFC 9112 §5.2)")
    func folded() throws {
        let head = try #require(
            parse("HTTP/1.1 200 OK", "A: 1 \t", " 2", "\t \t3 ", "B:", " x", "C: y", "   ", "D: z").head)
        #expect(head.lines.map { $0.filter { $0 != " " && $0 != "\t" } } == ["A:123", "B:x", "C:y", "D:z"])
        #expect(latin1(fields("A: 1 \t", " 2", "\t \t3 ").value(0)) == "1 2 3")
        #expect(latin1(fields("B:", " x").value(0)) == "x")
        #expect(latin1(fields("C: y", "   ").value(0)) == "y")
    }

    @Test("a field folded over very many lines costs time in proportion")
    func foldedOften() throws {
        let folds = String(repeating: " x\r\n", count: 50_000)
        let head = try #require(feed("HTTP/1.1 200 OK\r\nA: x\r\n\(folds)\r\n").head)
        #expect(head.lines.first?.utf8.count == 4 + 2 * 50_000)
    }

    @Test("an unfolded framing field is judged as a whole")
    func foldedFraming() {
        #expect(parse("HTTP/1.1 200 OK", "Content-Length: 1", " 2") == .refused(.malformedContentLength))
        #expect(parse("HTTP/1.1 200 OK", "Transfer-Encoding:", " chunked").head?.framing == .chunked)
    }

    @Test("the body's framing follows method, status and fields (RFC 9112 §6.3)")
    func framing() {
        let length = "Content-Length: 5"
        let chunked = "Transfer-Encoding: Chunked"
        #expect(parse("HTTP/1.1 200 OK", length).head?.framing == .length(5))
        #expect(parse("HTTP/1.1 200 OK", chunked).head?.framing == .chunked)
        #expect(parse("HTTP/1.1 200 OK").head?.framing == .untilClose)
        for status in ["100 Continue", "101 Switching", "103 Hints", "199 x", "204 No", "304 Not"] {
            #expect(parse("HTTP/1.1 \(status)", length).head?.framing == ResponseFraming.none)
            #expect(parse("HTTP/1.1 \(status)").head?.framing == ResponseFraming.none)
        }
        #expect(parse("HTTP/1.1 200 OK", length, method: .head).head?.framing == ResponseFraming.none)
        #expect(parse("HTTP/1.1 200 OK", chunked, method: .head).head?.framing == ResponseFraming.none)
        #expect(parse("HTTP/1.1 200 OK", length, method: .connect).head?.framing == ResponseFraming.none)
        #expect(parse("HTTP/1.1 407 No", length, method: .connect).head?.framing == .length(5))
        #expect(parse("HTTP/1.1 205 Reset", length).head?.framing == .length(5))
    }

    @Test("a length where there can be no body is dropped; a HEAD's and a 304's stay")
    func lengthWithoutBody() {
        #expect(parse("HTTP/1.1 204 No", "Content-Length: 5").head?.lines == [])
        #expect(parse("HTTP/1.1 204 No", "Content-Length: 0").head?.lines == ["Content-Length: 0"])
        #expect(parse("HTTP/1.1 304 Not", "Content-Length: 5").head?.lines == ["Content-Length: 5"])
        #expect(parse("HTTP/1.1 200 OK", "Content-Length: 5", method: .head).head?.lines == ["Content-Length: 5"])
    }

    @Test("persistence follows version and Connection")
    func keepAlive() {
        #expect(parse("HTTP/1.1 200 OK").head?.keepAlive == true)
        #expect(parse("HTTP/1.1 200 OK", "Connection: x, close").head?.keepAlive == false)
        #expect(parse("HTTP/1.0 200 OK", "Connection: Keep-Alive").head?.keepAlive == true)
    }

    @Test("heads follow each other: each begins anew, and the head before is gone")
    func sequence() throws {
        var parser = ResponseHeadParser()
        var head = ResponseHead()
        var statuses: [Int] = []
        let lines = [
            "HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n",
            "HTTP/1.1 200 OK\r\n",
            "Content-Length: 2\r\n", "\r\n",
        ]
        for line in lines {
            if try parser.feed(bytes(line).span, requestMethod: .get, into: &head) { statuses.append(head.status) }
        }
        #expect(statuses == [100, 103, 200])
        #expect(HTTPTests.lines(of: head.fields) == ["Content-Length: 2"])
        #expect(head.framing == .length(2))
    }

    @Test("a line that is not one whole line is refused")
    func notALine() {
        for text in ["", "\r", "\n", "X", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r", "HTTP/1.1 200 OK\r\nX: y\r\n"] {
            var parser = ResponseHeadParser()
            var head = ResponseHead()
            #expect(throws: HTTPError.self) { _ = try parser.feed(bytes(text).span, requestMethod: .get, into: &head) }
        }
    }

    @Test("a head over the bounds is refused")
    func bounds() {
        let text = "HTTP/1.1 200 OK\r\nX: y\r\n\r\n"
        let size = text.utf8.count
        #expect(HTTPTests.parse(response: bytes(text), limits: HeadLimits(headBytes: size)).head != nil)
        #expect(
            HTTPTests.parse(response: bytes(text), limits: HeadLimits(headBytes: size - 1)) == .refused(.headTooLarge))
        #expect(HTTPTests.parse(response: bytes(text), limits: HeadLimits(headFields: 0)) == .refused(.tooManyFields))
    }
}

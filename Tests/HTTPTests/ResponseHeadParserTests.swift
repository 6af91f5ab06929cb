import HTTP
import Testing

/// All that a parsed response head says.
struct ResponseSummary: Equatable {
    var status: Int
    var reason: String
    var version: HTTPVersion
    var lines: [String]
    var framing: ResponseFraming
}

/// Feeds the lines as they are; each must bring its own line end.
func parseResponse(_ lines: [String], method: Method = .get) -> Outcome<ResponseSummary> {
    var parser = ResponseHeadParser()
    var head = ResponseHead()
    for line in lines {
        do throws(HTTPError) {
            guard try parser.feed(bytes(line).span, requestMethod: method, into: &head) else { continue }
        } catch {
            return .refused(error.reason)
        }
        return .whole(
            ResponseSummary(
                status: head.status, reason: text(head.reason), version: head.version,
                lines: HTTPTests.lines(head.fields), framing: head.framing))
    }
    return .incomplete
}

struct ResponseHeadParserTests {
    static let refused: [(HTTPError.Reason, [String])] = [
        (.malformedStatusLine, ["\r\n"]), (.malformedStatusLine, ["HTTP/1.1\r\n"]),
        (.malformedStatusLine, ["HTTP/2 200\r\n"]), (.malformedStatusLine, ["HTTP/1.1 20\r\n"]),
        (.malformedStatusLine, ["HTTP/1.1  200 OK\r\n"]), (.malformedStatusLine, ["HTTP/1.1 2000 OK\r\n"]),
        (.malformedStatusLine, ["HTTP/1.1 099 OK\r\n"]), (.malformedStatusLine, ["HTTP/1.1 +20 OK\r\n"]),
        (.malformedStatusLine, ["HTTP/1.1 200OK\r\n"]), (.malformedStatusLine, ["http/1.1 200 OK\r\n"]),
        (.malformedStatusLine, ["ICY 200 OK..\r\n"]), (.malformedStatusLine, ["HTTP/1.x 200 OK\r\n"]),
        (.bareLineFeed, ["HTTP/1.1 200 OK\n"]), (.bareLineFeed, ["HTTP/1.1 200 OK"]), (.bareLineFeed, [""]),
        (.controlByte, ["HTTP/1.1 200 O\rK\r\n"]), (.controlByte, ["HTTP/1.1 200 O\u{0}K\r\n"]),
        (.bareLineFeed, ["HTTP/1.1 200 OK\r\n", "A: b\n"]), (.bareLineFeed, ["HTTP/1.1 200 OK\r\n", "\n"]),
        (.controlByte, ["HTTP/1.1 200 OK\r\n", "A: b\rSet-Cookie: c\r\n"]),
        (.controlByte, ["HTTP/1.1 200 OK\r\n", "A: b\r\r\n"]),
        (.controlByte, ["HTTP/1.1 200 OK\r\n", "A: b\nC: d\r\n"]),
        (.controlByte, ["HTTP/1.1 200 OK\r\n", "A: b\u{0}\r\n"]),
        (.controlByte, ["HTTP/1.1 200 OK\r\n", "A: b\r\n", " c\u{1}d\r\n"]),
        (.foldedField, ["HTTP/1.1 200 OK\r\n", " A: b\r\n"]),
        (.blankBeforeColon, ["HTTP/1.1 200 OK\r\n", "Content-Length : 5\r\n"]),
        (.missingColon, ["HTTP/1.1 200 OK\r\n", "A\r\n"]), (.malformedFieldName, ["HTTP/1.1 200 OK\r\n", ": b\r\n"]),
        (
            .lengthAndTransferEncoding,
            ["HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "\r\n"]
        ),
        (.repeatedContentLength, ["HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "content-length: 5\r\n", "\r\n"]),
        (.malformedContentLength, ["HTTP/1.1 200 OK\r\n", "Content-Length: 5, 5\r\n", "\r\n"]),
        (.malformedContentLength, ["HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", " 6\r\n", "\r\n"]),
        (.malformedContentLength, ["HTTP/1.1 200 OK\r\n", "Content-Length:\r\n", "\r\n"]),
        (.unknownTransferEncoding, ["HTTP/1.1 200 OK\r\n", "Transfer-Encoding: gzip, chunked\r\n", "\r\n"]),
        (
            .unknownTransferEncoding,
            ["HTTP/1.1 200 OK\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\n", "\r\n"]
        ),
        (.transferEncodingInHTTP10, ["HTTP/1.0 200 OK\r\n", "Transfer-Encoding: chunked\r\n", "\r\n"]),
    ]

    @Test("What no client should see is refused for its reason", arguments: refused)
    func refuses(_ reason: HTTPError.Reason, _ lines: [String]) {
        #expect(parseResponse(lines) == .refused(reason))
    }

    @Test("Ambiguous framing is refused even where no body can follow")
    func ambiguousHead() {
        let lines = ["HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "\r\n"]
        #expect(parseResponse(lines, method: .head) == .refused(.lengthAndTransferEncoding))
    }

    @Test(
        "The status line is taken as it comes",
        arguments: [
            ("HTTP/1.1 200 OK", 200, "OK", HTTPVersion.http11), ("HTTP/1.0 404 Not Found", 404, "Not Found", .http10),
            ("HTTP/1.1 200 ", 200, "", .http11), ("HTTP/1.1 204", 204, "", .http11),
            ("HTTP/1.3 999 \u{e9} \t", 999, "\u{e9} \t", .http11),
        ])
    func statusLines(_ line: String, _ status: Int, _ reason: String, _ version: HTTPVersion) {
        guard case .whole(let summary) = parseResponse([line + "\r\n", "\r\n"]) else {
            Issue.record("refused")
            return
        }
        #expect(summary.status == status)
        #expect(summary.reason == reason)
        #expect(summary.version == version)
    }

    @Test(
        "The body ends where method, status and fields say",
        arguments: [
            (Method.get, 200, ["Content-Length: 5"], ResponseFraming.length(5)),
            (.get, 200, ["Transfer-Encoding: Chunked"], .chunked), (.get, 200, [], .untilClose),
            (.head, 200, ["Content-Length: 5"], .none), (.head, 200, ["Transfer-Encoding: chunked"], .none),
            (.get, 204, ["Content-Length: 5"], .none), (.get, 304, ["Content-Length: 5"], .none),
            (.get, 100, [], .none), (.get, 101, [], .none), (.get, 205, ["Content-Length: 0"], .length(0)),
            (.connect, 200, ["Content-Length: 5"], .none), (.connect, 407, ["Content-Length: 5"], .length(5)),
        ])
    func framing(_ method: Method, _ status: Int, _ fields: [String], _ framing: ResponseFraming) {
        let lines = ["HTTP/1.1 \(status) X\r\n"] + fields.map { $0 + "\r\n" } + ["\r\n"]
        guard case .whole(let summary) = parseResponse(lines, method: method) else {
            Issue.record("refused")
            return
        }
        #expect(summary.framing == framing)
    }

    @Test("A folded field becomes one line, with one space for each fold")
    func unfolds() {
        let lines = [
            "HTTP/1.1 200 OK\r\n", "A:  b \r\n", " \t c\r\n", "\td \r\n", "  \r\n", "E:\r\n", " f\r\n", "\r\n",
        ]
        guard case .whole(let summary) = parseResponse(lines) else {
            Issue.record("refused")
            return
        }
        #expect(summary.lines == ["A: b c d", "E: f"])
    }

    @Test("Heads may follow each other, and each stands alone")
    func interim() throws {
        var parser = ResponseHeadParser()
        var head = ResponseHead()
        func feed(_ lines: [String]) throws -> [Bool] {
            try lines.map { try parser.feed(bytes($0).span, requestMethod: .get, into: &head) }
        }
        #expect(try feed(["HTTP/1.1 103 Early Hints\r\n", "Link: x\r\n", "\r\n"]) == [false, false, true])
        #expect(head.status == 103)
        #expect(lines(head.fields) == ["Link: x"])
        #expect(try feed(["HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n"]) == [false, false, true])
        #expect(lines(head.fields) == ["A: b"])
        #expect(try feed(["HTTP/1.1 200 OK\r\n", "A: b\r\n"]) == [false, false])
        parser.reset()
        #expect(try feed(["HTTP/1.1 404 No\r\n", "\r\n"]) == [false, true])
        #expect(head.fields.count == 0)
    }
}

import HTTP
import Testing

struct RequestHeadParserTests {
    @Test("What is malformed or ambiguous is refused for its reason", arguments: RefusedRequest.all)
    func refused(_ refused: RefusedRequest) {
        #expect(parseRequest(bytes(refused.text), limits: refused.limits) == .refused(refused.reason))
    }

    @Test("A refusal does not depend on where the bytes are cut", arguments: RefusedRequest.all)
    func refusedInPieces(_ refused: RefusedRequest) {
        let bytes = bytes(refused.text)
        for cut in 0...bytes.count {
            #expect(
                parseRequest(bytes, cuts: [cut], limits: refused.limits) == .refused(refused.reason), "cut at \(cut)")
        }
        #expect(
            parseRequest(bytes, cuts: Array(0...bytes.count), limits: refused.limits) == .refused(refused.reason))
    }

    @Test("A good head is the same wherever the bytes are cut", arguments: goodRequests)
    func goodInPieces(_ text: String) {
        let bytes = bytes(text)
        let whole = parseRequest(bytes)
        guard case .whole = whole else {
            Issue.record("refused: \(whole)")
            return
        }
        for cut in 0...bytes.count { #expect(parseRequest(bytes, cuts: [cut]) == whole, "cut at \(cut)") }
        #expect(parseRequest(bytes, cuts: Array(0...bytes.count)) == whole)
    }

    @Test("Nothing comes out before the last byte of the head", arguments: goodRequests)
    func incomplete(_ text: String) {
        let bytes = bytes(text)
        guard case .whole(let summary) = parseRequest(bytes) else { return }
        for end in 0..<summary.length { #expect(parseRequest(Array(bytes[..<end])) == .incomplete) }
    }

    @Test("The head ends where the next request begins")
    func pipelined() throws {
        let first = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
        let both = bytes(first + "GET /22 HTTP/1.1\r\nHost: b\r\nX: y\r\n\r\n")
        var parser = RequestHeadParser(limits: HeadLimits())
        var head = RequestHead()
        #expect(try parser.parse(both.span, into: &head) == first.utf8.count)
        #expect(text(head.targetBytes) == "/1")
        parser.reset()
        let rest = both.count - first.utf8.count
        #expect(try parser.parse(both.span.extracting(last: rest), into: &head) == rest)
        #expect(text(head.targetBytes) == "/22")
        #expect(lines(head.fields) == ["Host: b", "X: y"])
    }

    @Test("Fields keep their order, the case of their names and every byte of their values")
    func bytesAreKept() throws {
        let head = try parsedHead(
            "GET / HTTP/1.1\r\nhOsT:a\r\nX-b:\t \u{e9}\u{1}c \r\nx-B: 2\r\n\r\n".replacing("\u{1}", with: " "))
        #expect(lines(head.fields) == ["hOsT:a", "X-b:\t \u{e9} c ", "x-B: 2"])
        #expect(text(head.fields.value(1)) == "\u{e9} c")
        #expect(text(head.fields.name(2)) == "x-B")
    }

    @Test("A head of exactly the allowed size and number of fields is taken")
    func limits() {
        let text = "GET / HTTP/1.1\r\nHost: a\r\nB: c\r\n\r\n"
        let limits = HeadLimits(headBytes: text.utf8.count, headFields: 2)
        guard case .whole = parseRequest(bytes("\r\n" + text), limits: limits) else {
            Issue.record("refused")
            return
        }
    }

    @Test("A head that never ends is refused as soon as it reaches the limit, not later")
    func endless() {
        let bytes = bytes("GET / HTTP/1.1\r\nA: " + String(repeating: "b", count: 1000))
        let limits = HeadLimits(headBytes: 100)
        #expect(parseRequest(Array(bytes[..<99]), limits: limits) == .incomplete)
        #expect(parseRequest(Array(bytes[..<100]), limits: limits) == .refused(.headTooLarge))
    }
}

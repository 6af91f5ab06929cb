import HTTP
import Testing

struct HTTPErrorTests {
    /// Every refusal that the tables of these tests ask for.
    private static let tested: Set<HTTPError.Reason> = {
        var reasons = RefusedRequest.all.map(\.reason)
        reasons += ResponseHeadParserTests.refused.map(\.0)
        reasons += ChunkedDecoderTests.refused.map(\.0)
        reasons += AuthorityTests.refused.map(\.0)
        reasons += FieldLineTests.refused.map(\.0)
        return Set(reasons)
    }()

    @Test("Every reason is given by some case of the tables", arguments: HTTPError.Reason.allCases)
    func isTested(_ reason: HTTPError.Reason) { #expect(Self.tested.contains(reason)) }

    @Test("Every reason says something of its own, as a part of a sentence")
    func sentences() {
        let sentences = HTTPError.Reason.allCases.map(\.description)
        #expect(Set(sentences).count == sentences.count)
        for sentence in sentences {
            #expect(sentence.allSatisfy { $0.isASCII && $0 != "\n" && $0 != "\"" })
            #expect(sentence.last != ".")
        }
    }

    @Test(
        "A client is told the status that the RFC has for the reason",
        arguments: [
            ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505, true), ("GET / HTTP/1.1\r\n\r\n", 400, true),
            ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501, true),
            ("GET / HTTP/1.1\r\nHost: \(String(repeating: "a", count: 65_536))", 431, true),
            ("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "A: b\r\n", count: 200))\r\n", 431, true),
            ("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, true),
        ])
    func status(_ text: String, _ status: Int, _ framingLost: Bool) {
        let error = #expect(throws: HTTPError.self) { _ = try parsedHead(text) }
        #expect(error?.status == status)
        #expect(error?.framingLost == framingLost)
    }
}

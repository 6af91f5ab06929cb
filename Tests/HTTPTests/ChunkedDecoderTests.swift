import HTTP
import Testing

/// What a decoder made of some bytes.
struct ChunkedSummary: Equatable {
    var used: Int
    var body: String
    var trailers: [String]
}

/// Feeds the bytes in pieces that end at `cuts`.
func decodeChunked(_ bytes: [UInt8], cuts: [Int] = []) -> Outcome<ChunkedSummary> {
    var decoder = ChunkedDecoder()
    var body: [UInt8] = []
    var used = 0
    do throws(HTTPError) {
        for end in cuts + [bytes.count] where end >= used {
            used += try decoder.decode(bytes.span.extracting(used..<end)) { body.append($0) }
            if decoder.isFinished { break }
        }
    } catch {
        return .refused(error.reason)
    }
    guard decoder.isFinished else { return .incomplete }
    return .whole(ChunkedSummary(used: used, body: text(body), trailers: lines(decoder.trailers)))
}

struct ChunkedDecoderTests {
    static let good: [(String, ChunkedSummary)] = [
        ("0\r\n\r\n", ChunkedSummary(used: 5, body: "", trailers: [])),
        ("0\r\n\r\nGET /", ChunkedSummary(used: 5, body: "", trailers: [])),
        ("5\r\nhello\r\n0\r\n\r\n", ChunkedSummary(used: 15, body: "hello", trailers: [])),
        ("0005\r\nhello\r\n000\r\n\r\n", ChunkedSummary(used: 20, body: "hello", trailers: [])),
        (
            "A\r\n\r\n\r\n\r\n0\r\n\r\r\n0\r\n\r\n",
            ChunkedSummary(used: 20, body: "\r\n\r\n\r\n0\r\n\r", trailers: [])
        ),
        (
            "a;x=\"y\";z\r\n0123456789\r\n1; q\r\nx\r\n0;e\r\n\r\n",
            ChunkedSummary(used: 39, body: "0123456789x", trailers: [])
        ),
        (
            "1\r\nx\r\n0\r\nA: b\r\nC:\r\nGrpc-Status:  0 \r\n\r\nnext",
            ChunkedSummary(used: 39, body: "x", trailers: ["A: b", "C:", "Grpc-Status:  0 "])
        ),
    ]

    static let refused: [(HTTPError.Reason, String)] = [
        (.malformedChunkSize, "\r\n"), (.malformedChunkSize, "x\r\n"), (.malformedChunkSize, "-1\r\n"),
        (.malformedChunkSize, "+1\r\n"), (.malformedChunkSize, "0x1\r\n"), (.malformedChunkSize, " 1\r\n"),
        (.malformedChunkSize, "1 \r\n"), (.malformedChunkSize, "1\t;a\r\n"), (.malformedChunkSize, ";a\r\n"),
        (.malformedChunkSize, "1\rx"), (.malformedChunkSize, "1;a\rx"), (.malformedChunkSize, "1\r\r\n"),
        (.bareLineFeed, "1\nx"), (.bareLineFeed, "1;a\nx"), (.bareLineFeed, "0\r\n\n"), (.bareLineFeed, "0\r\nA: b\n"),
        (.controlByte, "1;a\u{0}\r\n"), (.controlByte, "0\r\nA: \u{1}\r\n"), (.controlByte, "0\r\nA: b\rC: d\r\n"),
        (.chunkTooLarge, "8000000000000000\r\n"), (.chunkTooLarge, "10000000000000000\r\n"),
        (.chunkTooLarge, "ffffffffffffffff\r\n"), (.chunkTooLarge, String(repeating: "0", count: 33) + "\r\n"),
        (.chunkExtensionTooLong, "1;" + String(repeating: "a", count: 16 * 1024 + 1)),
        (.chunkExtensionTooLong, String(repeating: "1;" + String(repeating: "a", count: 4096) + "\r\nx\r\n", count: 5)),
        (.chunkNotEnded, "1\r\nxy"), (.chunkNotEnded, "1\r\nx\n"), (.chunkNotEnded, "1\r\nx\rx"),
        (.chunkNotEnded, "1\r\nx0\r\n\r\n"),
        (.trailerTooLarge, "0\r\nA: " + String(repeating: "b", count: 64 * 1024)),
        (.trailerTooLarge, "0\r\n" + String(repeating: "A: b\r\n", count: 201)),
        (.foldedField, "0\r\nA: b\r\n c\r\n\r\n"), (.missingColon, "0\r\nA\r\n\r\n"),
        (.blankBeforeColon, "0\r\nA : b\r\n\r\n"), (.malformedFieldName, "0\r\n: b\r\n\r\n"),
        (.forbiddenTrailer, "0\r\nContent-Length: 1\r\n\r\n"), (.forbiddenTrailer, "0\r\nHost: a\r\n\r\n"),
        (.forbiddenTrailer, "0\r\ntransfer-encoding: chunked\r\n\r\n"),
    ]

    @Test("A body comes out the same wherever the bytes are cut", arguments: good)
    func decodes(_ coded: String, _ summary: ChunkedSummary) {
        let bytes = bytes(coded)
        for cut in 0...bytes.count { #expect(decodeChunked(bytes, cuts: [cut]) == .whole(summary), "cut at \(cut)") }
        #expect(decodeChunked(bytes, cuts: Array(0...bytes.count)) == .whole(summary))
        for end in 0..<summary.used { #expect(decodeChunked(Array(bytes[..<end])) == .incomplete) }
    }

    @Test("What is malformed is refused for its reason, wherever the bytes are cut", arguments: refused)
    func refuses(_ reason: HTTPError.Reason, _ coded: String) {
        let bytes = bytes(coded)
        #expect(decodeChunked(bytes) == .refused(reason))
        for cut in 0...min(bytes.count, 64) { #expect(decodeChunked(bytes, cuts: [cut]) == .refused(reason)) }
        #expect(decodeChunked(bytes, cuts: Array(0...bytes.count)) == .refused(reason))
    }

    @Test("The largest chunk is taken, its bytes are handed on without waiting for more")
    func largest() throws {
        var decoder = ChunkedDecoder()
        var count = 0
        let used = try decoder.decode(bytes("7fffffffffffffff\r\nabc").span) { count += $0.count }
        #expect(used == 21)
        #expect(count == 3)
        #expect(!decoder.isFinished)
    }

    @Test("As many trailers as are allowed are taken")
    func manyTrailers() {
        let coded = "0\r\n" + String(repeating: "A: b\r\n", count: 200) + "\r\n"
        guard case .whole(let summary) = decodeChunked(bytes(coded)) else {
            Issue.record("refused")
            return
        }
        #expect(summary.trailers.count == 200)
    }
}

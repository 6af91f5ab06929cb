import HTTP
import Testing

@Suite("Chunked bodies, in")
struct ChunkedDecoderTests {
    @Test("chunks become the body, the trailers become fields, what follows is left")
    func whole() {
        let text = "4\r\nWiki\r\n7\r\npedia i\r\nB\r\nn \r\nchunks.\r\n0\r\nX-A: 1\r\nx-b:\r\n\r\nGET"
        let expected = ParsedBody(
            body: "Wikipedia in \r\nchunks.", trailers: ["X-A: 1", "x-b:"], consumed: text.utf8.count - 3)
        #expect(decode(chunked: bytes(text)) == .whole(expected))
    }

    @Test("the last chunk may have several zeros, sizes any case and leading zeros")
    func sizes() {
        #expect(decode(chunked: bytes("0a\r\n0123456789\r\n00A\r\n0123456789\r\n000\r\n\r\n")).head?.body.count == 20)
        #expect(decode(chunked: bytes("0\r\n\r\n")).head?.body == "")
    }

    @Test("extensions are read over, with blanks before the semicolon (RFC 9112 §7.1.1)")
    func extensions() {
        let text = "5;a\r\nhello\r\n5 ; a = \"b;c\"\r\nhello\r\n5\t;\r\nhello\r\n0;last\r\n\r\n"
        #expect(decode(chunked: bytes(text)).head?.body == "hellohellohello")
    }

    @Test(
        "what is not chunked is refused with its reason",
        arguments: [
            ("\r\n", HTTPError.Reason.malformedChunkSize), ("x\r\n", .malformedChunkSize),
            ("-1\r\n", .malformedChunkSize),
            ("+1\r\n", .malformedChunkSize), ("0x1\r\n", .malformedChunkSize), (" 1\r\n", .malformedChunkSize),
            ("1 \r\n", .malformedChunkSize),
            ("1 2\r\n", .malformedChunkSize), (";a\r\n", .malformedChunkSize), ("1,\r\n", .malformedChunkSize),
            ("1\u{0}\r\n", .malformedChunkSize),
            ("1\na", .bareLineFeed), ("1;a\nb", .bareLineFeed), ("1\r1", .bareCarriageReturn),
            ("1;a\rb", .bareCarriageReturn),
            ("1\r\r\n", .bareCarriageReturn), ("1;a\u{0}\r\n", .controlByte), ("1;a\u{7f}\r\n", .controlByte),
            ("1\r\nab", .chunkNotEnded), ("1\r\na\n", .chunkNotEnded), ("1\r\na\rb", .chunkNotEnded),
            ("1\r\na\r\r\n", .chunkNotEnded),
            ("ffffffffffffffff\r\n", .chunkTooLarge), ("8000000000000000\r\n", .chunkTooLarge),
            ("10000000000000000\r\n", .chunkTooLarge),
            ("00000000000000000\r\n", .chunkTooLarge),
            ("0\r\n\n", .bareLineFeed), ("0\r\nX: y\n", .bareLineFeed), ("0\r\n\rX", .bareCarriageReturn),
            ("0\r\nX: a\rb", .bareCarriageReturn),
            ("0\r\nX : y\r\n", .blankBeforeColon), ("0\r\nX\r\n", .missingColon), ("0\r\n X: y\r\n", .foldedField),
            ("0\r\nX: \u{0}", .controlByte),
            ("0\r\nHost: a\r\n", .forbiddenTrailer), ("0\r\nContent-Length: 1\r\n", .forbiddenTrailer),
            ("0\r\ntransfer-encoding: chunked\r\n", .forbiddenTrailer),
            ("0\r\nCookie: aws-waf-token=x\r\n", .forbiddenTrailer),
            ("0\r\nConnection: close\r\n", .forbiddenTrailer), ("0\r\nx-aws-waf-token: x\r\n", .forbiddenTrailer),
        ])
    func refused(text: String, reason: HTTPError.Reason) { #expect(decode(chunked: bytes(text)) == .refused(reason)) }

    @Test("the largest size is 2^63 - 1, and its data is taken as it comes")
    func largest() throws {
        var decoder = ChunkedDecoder()
        var count = 0
        #expect(try decoder.decode(bytes("7fffffffffffffff\r\nabc").span) { count += $0.count } == 21)
        #expect(count == 3)
        #expect(!decoder.isFinished)
    }

    @Test("extensions are bounded over all chunks together")
    func extensionsBounded() {
        let long = String(repeating: "x", count: 20_000)
        #expect(decode(chunked: bytes("1;\(long)")) == .refused(.chunkExtensionTooLong))
        let many = String(repeating: "1;xxxxxxxxx\r\na\r\n", count: 2_000)
        #expect(decode(chunked: bytes(many)) == .refused(.chunkExtensionTooLong))
        #expect(decode(chunked: bytes("1" + String(repeating: " ", count: 20_000))) == .refused(.chunkExtensionTooLong))
    }

    @Test("trailers are bounded in bytes and in number")
    func trailersBounded() {
        #expect(
            decode(chunked: bytes("0\r\nX: " + String(repeating: "y", count: 70_000))) == .refused(.trailerTooLarge))
        #expect(
            decode(chunked: bytes("0\r\n" + String(repeating: "X: y\r\n", count: 201))) == .refused(.trailerTooLarge))
        #expect(
            decode(chunked: bytes("0\r\n" + String(repeating: "X: y\r\n", count: 200) + "\r\n")).head?.trailers.count
                == 200)
    }

    @Test("after the end nothing more is taken")
    func finished() throws {
        var decoder = ChunkedDecoder()
        #expect(try decoder.decode(bytes("0\r\n\r\nrest").span) { _ in } == 5)
        #expect(decoder.isFinished)
        #expect(try decoder.decode(bytes("rest").span) { _ in } == 0)
    }
}

import HTTP
import Testing

@Suite("Chunked bodies, out")
struct ChunkedEncoderTests {
    @Test(
        "sizes are hexadecimal",
        arguments: [(1, "1"), (15, "f"), (16, "10"), (255, "ff"), (4096, "1000"), (Int.max, "7fffffffffffffff")])
    func sizes(count: Int, text: String) {
        var out: [UInt8] = []
        ChunkedEncoder.begin(chunkOf: count, into: &out)
        #expect(latin1(out) == text + "\r\n")
    }

    @Test("what was encoded decodes to itself, trailers included")
    func roundTrip() {
        var out: [UInt8] = []
        for piece in ["a", String(repeating: "b", count: 20), "\r\n0\r\n\r\n"] {
            ChunkedEncoder.begin(chunkOf: piece.utf8.count, into: &out)
            out.append(contentsOf: piece.utf8)
            ChunkedEncoder.endChunk(into: &out)
        }
        ChunkedEncoder.end(trailers: fields("X: y", "Z:"), into: &out)
        let expected = ParsedBody(
            body: "a" + String(repeating: "b", count: 20) + "\r\n0\r\n\r\n", trailers: ["X: y", "Z:"],
            consumed: out.count)
        #expect(decode(chunked: out) == .whole(expected))
    }

    @Test("fields that may not be trailers are left out")
    func forbidden() {
        var out: [UInt8] = []
        ChunkedEncoder.end(trailers: fields("Content-Length: 1", "X: y", "Set-Cookie: a=b"), into: &out)
        #expect(latin1(out) == "0\r\nX: y\r\n\r\n")
    }

    @Test("without trailers the end is five bytes")
    func end() {
        var out: [UInt8] = []
        ChunkedEncoder.end(trailers: Fields(), into: &out)
        #expect(latin1(out) == "0\r\n\r\n")
    }
}

import HTTP
import Testing

struct ChunkedEncoderTests {
    @Test(
        "A chunk begins with its length in hexadecimal digits",
        arguments: [
            (1, "1"), (9, "9"), (10, "a"), (15, "f"), (16, "10"), (255, "ff"), (256, "100"), (4096, "1000"),
            (65_535, "ffff"), (1 << 20, "100000"), (Int.max, "7fffffffffffffff"),
        ])
    func begins(_ count: Int, _ digits: String) {
        var out: [UInt8] = []
        ChunkedEncoder.begin(chunkOf: count, into: &out)
        #expect(text(out) == digits + "\r\n")
    }

    @Test("What is encoded is decoded to the same body and trailers, wherever it is cut")
    func roundTrip() throws {
        let parts = ["a", String(repeating: "b", count: 17), "\r\n0\r\n\r\n", String(repeating: "c", count: 300)]
        let trailers = try fields(["Digest:x", "Empty:", "Grpc-Status:  0 "])
        var out: [UInt8] = []
        for part in parts {
            ChunkedEncoder.begin(chunkOf: part.utf8.count, into: &out)
            out.append(contentsOf: part.utf8)
            ChunkedEncoder.endChunk(into: &out)
        }
        ChunkedEncoder.end(trailers: trailers, into: &out)
        let summary = ChunkedSummary(used: out.count, body: parts.joined(), trailers: lines(trailers))
        for cut in 0...out.count { #expect(decodeChunked(out, cuts: [cut]) == .whole(summary)) }
    }

    @Test("Without trailers the end is five bytes")
    func ends() {
        var out: [UInt8] = []
        ChunkedEncoder.end(trailers: Fields(), into: &out)
        #expect(text(out) == "0\r\n\r\n")
    }
}

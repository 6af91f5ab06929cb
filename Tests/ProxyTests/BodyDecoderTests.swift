import HTTP
import Testing

@testable import Proxy

@Suite struct BodyDecoderTests {
    private func decode(_ wire: String, _ framing: BodyFraming, cutAt cut: Int) throws -> (body: String, used: Int) {
        var decoder = BodyDecoder(framing)
        let bytes = Array(wire.utf8)
        var body: [UInt8] = []
        var used = 0
        for part in [bytes[..<cut], bytes[cut...]] {
            let part = Array(part)
            used += try decoder.decode(part.span) { block in block.withUnsafeBufferPointer { body += $0 } }
        }
        #expect(decoder.isFinished)
        return (String(decoding: body, as: UTF8.self), used)
    }

    @Test("a body ends where its framing says, wherever the bytes are cut, and what follows is left alone")
    func everyCut() throws {
        let chunked = "5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nT: v\r\n\r\n"
        for cut in 0...chunked.utf8.count {
            let result = try decode(chunked + "GET", .chunked, cutAt: cut)
            #expect(result == ("hello world", chunked.utf8.count))
        }
        for cut in 0...11 {
            #expect(try decode("hello worldGET", .length(11), cutAt: cut) == ("hello world", 11))
        }
    }

    @Test("trailers are kept")
    func trailers() throws {
        var decoder = BodyDecoder(.chunked)
        _ = try decoder.decode(Array("0\r\nA: 1\r\n\r\n".utf8).span) { _ in }
        #expect(decoder.trailers?.count == 1)
        #expect(BodyDecoder(.none).trailers == nil)
        #expect(BodyDecoder(.none).isFinished)
    }
}

import Testing

@testable import Emulator

@Suite struct WebSocketFrameTests {
    @Test("The accept key of RFC 6455 §1.3")
    func accept() {
        let key = [UInt8]("dGhlIHNhbXBsZSBub25jZQ==")
        #expect(WebSocketFrame.isKey(key))
        #expect(WebSocketFrame.acceptKey(for: key) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        for text in ["", "abc", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQAAAA", "dGhlIHNhbXBsZSBub25jZ!=="] {
            #expect(!WebSocketFrame.isKey([UInt8](text)))
        }
    }

    @Test(
        "The length takes the shortest form",
        arguments: [
            (0, [0x82, 0]), (125, [0x82, 125]), (126, [0x82, 126, 0, 126]), (65535, [0x82, 126, 255, 255]),
            (65536, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func lengths(length: Int, head: [UInt8]) {
        var bytes: [UInt8] = []
        WebSocketFrame.writeHead(.binary, length: length, into: &bytes)
        #expect(bytes == head)
    }

    @Test("Whole frames, and the payload of a close")
    func frames() {
        var bytes: [UInt8] = []
        WebSocketFrame.write(.text, [UInt8]("hi"), into: &bytes)
        WebSocketFrame.write(.close, WebSocketFrame.closePayload(.tooBig), into: &bytes)
        #expect(bytes == [0x81, 2] + [UInt8]("hi") + [0x88, 2, 0x03, 0xf1])
    }
}

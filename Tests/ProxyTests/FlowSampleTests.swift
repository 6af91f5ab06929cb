import Testing

@testable import Proxy

@Suite struct FlowSampleTests {
    @Test("a sample takes the beginning of a body, over several pieces, and no more than its limit")
    func appending() {
        var body: [UInt8]?
        for piece in ["abc", "", "defg", "hij"] { FlowSample.append(Array(piece.utf8).span, to: &body, limit: 8) }
        #expect(body.map { String(decoding: $0, as: UTF8.self) } == "abcdefgh")
        var none: [UInt8]?
        FlowSample.append([UInt8]().span, to: &none, limit: 8)
        #expect(none == nil)
    }

    @Test(
        "a secret is found anywhere, and where the sample's end cuts it",
        arguments: [
            ("x secret-1 y", true), ("secret-1", true), ("tail secret", true), ("tail secre", false),
            ("secre-t1 secret_1", false), ("", false),
        ])
    func secrets(body: String, found: Bool) {
        #expect(FlowSample.mayContain(Array("secret-1".utf8), in: Array(body.utf8)) == found)
    }

    @Test("what is too short to be a secret hides nothing")
    func short() {
        #expect(!FlowSample.mayContain(Array("a".utf8), in: Array("aaaaaaaaaaaa".utf8)))
    }
}

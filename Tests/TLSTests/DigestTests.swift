import Testing

@testable import TLS

@Suite struct DigestTests {
    private static let abc = Array("abc".utf8)

    @Test("The published test vectors come out (FIPS 180-4, RFC 4231)")
    func vectors() {
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(SHA256.hash(Self.abc.span).hex == sha256)
        #expect(SHA1.hash(Self.abc.span).hex == "a9993e364706816aba3e25717850c26c9cd0d89d")
        let code = HMACSHA256.code(for: Array("what do ya want for nothing?".utf8).span, key: Array("Jefe".utf8))
        #expect(code.hex == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test("A stream of pieces has the hash of the whole")
    func streaming() {
        let bytes = [UInt8](repeating: 0x61, count: 1_000_000)
        let stream = SHA256()
        for piece in bytes.pieces(of: 999) { stream.update(piece.span) }
        stream.update([UInt8]().span)
        let digest = stream.finish()
        #expect(digest.hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(digest == SHA256.hash(bytes.span))
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(SHA256().finish().hex == empty)
    }

    @Test("Comparison takes only the same bytes")
    func comparison() {
        let digest = SHA1.hash(Self.abc.span)
        #expect(digest.matches(digest.bytes))
        #expect(!digest.matches(Array(digest.bytes.dropLast())))
        #expect(!digest.matches([UInt8](repeating: 0, count: 20)))
    }

    @Test("Random bytes are as many as asked for, and not the same twice")
    func random() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.bytes(32).count == 32)
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
    }
}

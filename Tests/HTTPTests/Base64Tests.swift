import HTTP
import Testing

@Suite struct Base64Tests {
    @Test(
        "The test vectors of RFC 4648 come out, and go in again",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, text: String) {
        #expect(String(decoding: Base64.encode(plain.utf8), as: UTF8.self) == text)
        #expect(Base64.decode(text.utf8) == Array(plain.utf8))
        let bare = text.filter { $0 != "=" }
        #expect(String(decoding: Base64.encode(plain.utf8, isPadded: false), as: UTF8.self) == bare)
        #expect(Base64.decode(bare.utf8) == Array(plain.utf8))
    }

    @Test(
        "What the encoder never writes is refused",
        arguments: ["A", "AB=C", "Zm9v=", "Zg=", "Zh==", "Zm9=", "Zm 9", "Zm9v====", "Zm9-", "====", "="])
    func refused(text: String) {
        #expect(Base64.decode(text.utf8) == nil)
    }
}

import Testing

@testable import Admin

@Suite struct Base64TextTests {
    @Test(
        "the vectors of RFC 4648 §10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(text: String, encoded: String) {
        #expect(Base64Text.encoded(Array(text.utf8)) == encoded)
    }
}

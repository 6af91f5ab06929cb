import HTTP
import Testing

@Suite("Reasons")
struct HTTPErrorTests {
    @Test("every reason says what is wrong, in words of its own")
    func texts() {
        let texts = HTTPError.Reason.allCases.map(\.description)
        #expect(Set(texts).count == texts.count)
        for text in texts {
            #expect(!text.isEmpty && !text.hasSuffix("."))
            #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
        }
    }
}

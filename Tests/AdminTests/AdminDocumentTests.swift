import Testing
import WAFTokens

@testable import Admin

@Suite struct AdminDocumentTests {
    private func document(_ text: String) throws -> AdminDocument {
        AdminDocument(value: try JSONReader.read(Array(text.utf8)))
    }

    @Test("each kind of value is read as itself alone")
    func kinds() throws {
        let all = try document(#"{"text":"a","number":1.5,"flag":true,"list":[1,2],"object":{"x":null}}"#)
        #expect(all["text"].text == "a" && all["text"].number == nil && all["text"].flag == nil)
        #expect(all["number"].number == 1.5 && all["number"].text == nil)
        #expect(all["flag"].flag == true && all["flag"].elements.isEmpty)
        #expect(all["list"].elements.map(\.number) == [1, 2] && !all["list"].isObject)
        #expect(all["object"].isObject && all["object"].members.map(\.name) == ["x"])
        #expect(all.members.map(\.name) == ["text", "number", "flag", "list", "object"])
    }

    @Test("what is not there is empty however far one looks into it")
    func missing() throws {
        let nothing = try document("[]")["a"]["b"]
        #expect(nothing.text == nil && nothing.elements.isEmpty && nothing.members.isEmpty && !nothing.isObject)
    }
}

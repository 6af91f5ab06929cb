import Testing

@testable import HTTP

struct TokenListTests {
    @Test(
        "Elements stand between commas, without blanks, and empty ones do not count",
        arguments: [
            ("", []), (",", []), (" , ,\t", []), ("a", ["a"]), (" a ,b,, c d ,", ["a", "b", "c d"]),
        ] as [(String, [String])])
    func elements(_ value: String, _ elements: [String]) {
        var found: [String] = []
        TokenList.forEach(bytes(value).span) {
            found.append(text($0))
            return true
        }
        #expect(found == elements)
    }

    @Test("An element is found in any of several fields, whatever its case")
    func contains() throws {
        let fields = try fields(["Connection: a", "connection: b, Close", "TE: x"])
        #expect(fields.list(.connection, contains: "close"))
        #expect(fields.list(.connection, contains: "a"))
        #expect(!fields.list(.connection, contains: "x"))
        #expect(!fields.list(.via, contains: "x"))
    }
}

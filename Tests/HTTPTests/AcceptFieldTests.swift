import HTTP
import Testing

@Suite("What a client accepts")
struct AcceptFieldTests {
    @Test(
        "JSON is wanted where it is accepted and no text is",
        arguments: [
            ("application/json", true), ("APPLICATION/JSON; charset=utf-8", true), ("application/*", true),
            ("application/json, text/html;q=0", true),
            ("application/json, */*;q=0.0", true), ("application/json, text/plain, */*", false), ("*/*", false),
            ("text/html", false),
            ("application/json;q=0", false), ("application/jsonx", false), ("image/png", false), ("", false),
            (";;,", false),
        ])
    func onlyJSON(value: String, isWanted: Bool) {
        #expect(AcceptField.wantsOnlyJSON(fields("Accept: \(value)")) == isWanted)
    }

    @Test("without the field anything is accepted")
    func none() { #expect(!AcceptField.wantsOnlyJSON(fields())) }
}

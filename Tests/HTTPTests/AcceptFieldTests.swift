import HTTP
import Testing

struct AcceptFieldTests {
    @Test(
        "JSON is answered with where it is accepted and no text is",
        arguments: [
            ("application/json", true), ("Application/JSON;q=0.5", true), ("application/*", true),
            ("application/json, image/png", true), ("application/json, text/html;q=0", true),
            ("application/json, */*;q=0.000", true), ("application/json; charset=utf-8; q=1", true),
            ("application/json, text/plain", false), ("application/json, */*", false),
            ("application/json, text/*", false),
            ("application/json;q=0", false), ("application/json;q=0.0, text/html;q=0", false), ("*/*", false),
            ("", false), ("image/png", false), ("application/jsonx", false), ("text/html", false), (";q=0,;", false),
        ])
    func onlyJSON(_ value: String, _ wantsJSON: Bool) throws {
        #expect(AcceptField.wantsOnlyJSON(try fields(["Host: a", "Accept: \(value)"])) == wantsJSON)
    }

    @Test("Several fields count as one, none as anything")
    func fieldsTogether() throws {
        #expect(AcceptField.wantsOnlyJSON(try fields(["Accept: image/png", "accept: application/json"])))
        #expect(!AcceptField.wantsOnlyJSON(try fields(["Accept: application/json", "accept: text/html"])))
        #expect(!AcceptField.wantsOnlyJSON(Fields()))
    }
}

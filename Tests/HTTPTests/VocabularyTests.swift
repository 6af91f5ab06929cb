import HTTP
import Testing

struct VocabularyTests {
    @Test(
        "Methods are recognised in their exact case",
        arguments: [
            ("GET", Method.get), ("HEAD", .head), ("POST", .post), ("PUT", .put), ("DELETE", .delete),
            ("OPTIONS", .options), ("TRACE", .trace), ("CONNECT", .connect), ("PATCH", .patch), ("get", .other),
            ("GETS", .other), ("", .other), ("QUERY", .other),
        ])
    func methods(_ name: String, _ method: Method) { #expect(Method(bytes(name).span) == method) }

    @Test("Only a length above zero and chunks bring a body")
    func bodies() {
        #expect(!BodyFraming.none.hasBody)
        #expect(!BodyFraming.length(0).hasBody)
        #expect(BodyFraming.length(1).hasBody)
        #expect(BodyFraming.chunked.hasBody)
    }

    @Test("Schemes have their ports, versions their text")
    func texts() {
        #expect(Scheme.http.defaultPort == 80)
        #expect(Scheme.https.defaultPort == 443)
        #expect("\(HTTPVersion.http10.text) \(HTTPVersion.http11.text)" == "1.0 1.1")
    }
}

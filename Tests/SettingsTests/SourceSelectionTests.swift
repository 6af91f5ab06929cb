import Telemetry
import Testing

@testable import Settings

@Suite struct SourceSelectionTests {
    static let file = "providers: [{hosts: [shop.test], source: {type: http, url: 'http://issuer/', method: GET}}]"

    @Test func `no source and two sources are one fault each`() {
        let none = load(.run, ["--host", "shop.test"])
        #expect(none.faults.count == 1)
        #expect(none.lines.first?.contains("no token source; must be one of --token-url") == true)
        let two = load(.run, goodProvider + ["--token-file", "t"])
        #expect(
            two.lines == [
                "providers.default.source (--token-file): more than one token source (--token-url, --token-file); must be exactly one"
            ])
    }

    @Test func `a source of a higher layer replaces the whole source below`() {
        let result = load(.run, ["--token-file", "t"], ["WAF_TOKEN": "tok"], yaml: Self.file)
        #expect(result.lines.isEmpty)
        #expect(result.provider?.source == .file(path: "t"))
        #expect(result.shown("providers.default.source.type")?.origin == .flag("--token-file"))
        #expect(result.shown("providers.default.source.url") == nil)
        #expect(load(.run, [], ["WAF_TOKEN": "tok"], yaml: Self.file).provider?.source == .fixed(Redacted("tok")))
    }

    @Test func `parts of the same source come from different layers`() {
        let result = load(.run, ["--token-url", "http://other/"], yaml: Self.file)
        guard case .http(let source)? = result.provider?.source else { return #expect(Bool(false)) }
        #expect(source.url == "http://other/")
        #expect(source.method == "GET")
    }

    @Test(arguments: [
        (
            "{type: http, path: t}",
            ["a source of type http needs url", "does not belong to a token source of type http"]
        ),
        ("{type: exec}", ["a source of type exec needs command"]),
        ("{url: 'http://issuer/', value: s3cret, type: http}", ["does not belong to a token source of type http"]),
        ("{path: t, method: GET}", ["does not belong to a token source of type file"]),
        ("{type: http, url: null}", ["a source of type http needs url"]),
        ("{type: nonsense, url: 'http://issuer/'}", ["must be one of http, exec, file, static, or null"]),
    ]) func `keys of another kind and missing keys are named`(source: String, endings: [String]) {
        let result = load(yaml: "providers: [{hosts: [shop.test], source: \(source)}]")
        #expect(result.faults.count == endings.count, "\(result.lines)")
        for (line, ending) in zip(result.lines, endings) { #expect(line.hasSuffix(ending)) }
        #expect(!result.lines.joined().contains("s3cret"))
    }
}

import Testing

@testable import Settings

@Suite struct RoffTests {
    @Test(arguments: [
        ("--flag", #"\-\-flag"#), (#"a\b"#, #"a\eb"#), (".config", #"\&.config"#), ("it's", #"it\(aqs"#),
        ("a^b~c`", #"a\(hab\(tic\(ga"#), ("ARG…", "ARG..."),
    ]) func `nothing in a text is a request or an escape`(text: String, roff: String) {
        #expect(Roff.text(text) == roff)
    }

    @Test func `a line ends with a sentence, and before the 79th column`() {
        let text = "First one. Word " + String(repeating: "word ", count: 40) + "end. .dot"
        let lines = Roff.paragraph(text).split(separator: "\n")
        #expect(lines.first == "First one.")
        #expect(lines.allSatisfy { $0.utf8.count <= 78 && !$0.hasPrefix(".") })
    }
}

import Foundation
import Testing

@testable import Settings

@Suite struct YAMLReaderTests {
    func read(_ text: String) throws(YAMLReader.Problem) -> Node {
        try YAMLReader.read(Array(text.utf8))
    }

    /// The tree without its line numbers, as one text.
    func outline(_ node: Node) -> String {
        switch node.content {
        case .null: "null"
        case .scalar(let text): "\"\(text)\""
        case .list(let items): "[" + items.map(outline).joined(separator: ",") + "]"
        case .mapping(let entries):
            "{" + entries.map { "\($0.key):\(outline($0.value))" }.joined(separator: ",") + "}"
        }
    }

    @Test(arguments: [
        ("", "null"),
        ("# only a comment\n", "null"),
        ("---\n", "null"),
        ("a: 1\nb: two words # comment", #"{a:"1",b:"two words"}"#),
        ("a:\n  - x\n  - 'y: z'\n  - \"q\\n\"", "{a:[\"x\",\"y: z\",\"q\n\"]}"),
        (#"{"a": [1, true, null, "null"], "b": {}}"#, #"{a:["1","true",null,"null"],b:{}}"#),
        ("a: ~\nb:\nc: Null\nd: ''", #"{a:null,b:null,c:null,d:""}"#),
        ("a: |\n  two\n  lines\nb: >\n  one\n  line\n", "{a:\"two\nlines\n\",b:\"one line\n\"}"),
        ("a: b:8080", #"{a:"b:8080"}"#),
        ("\u{feff}a: 1", #"{a:"1"}"#),
        ("a: 1\n...\n", #"{a:"1"}"#),
        ("%YAML 1.1\n---\na: ü", #"{a:"ü"}"#),
    ]) func `what a configuration needs is read`(text: String, tree: String) throws {
        #expect(outline(try read(text)) == tree)
    }

    @Test(arguments: [
        ("a: 1\na: 2", 2, "given twice"),
        ("a: {b: 1,\n b: 2}", 2, "given twice"),
        ("a: &x 1", 1, "anchors are not supported"),
        ("a: &x [1]", 1, "anchors are not supported"),
        ("a: 1\nb: *x", 2, "aliases are not supported"),
        ("<<: {a: 1}", 1, "merge keys are not supported"),
        ("a: !!str 1", 1, "tags are not supported"),
        ("a: !x {b: 1}", 1, "tags are not supported"),
        ("[a]: 1", 1, "a key must be a plain word"),
        ("? {a: 1}\n: 1", 1, "a key must be a plain word"),
        ("a: 1\n---\nb: 2", 2, "a second document"),
        ("a: [1, 2", 2, "did not find"),
        ("a: 1\n b: 2", 2, "mapping values are not allowed"),
        ("a:\n\t- 1", 2, "cannot start any token"),
        ("a: \"x", 1, "unexpected end of stream"),
        ("a: @x", 1, "cannot start any token"),
    ]) func `what is odd is refused with its line`(text: String, line: Int, problem: String) {
        do throws(YAMLReader.Problem) {
            let node = try read(text)
            Issue.record("read as \(outline(node))")
        } catch {
            #expect(error.text.contains(problem), "\(error)")
            #expect(abs(error.line - line) <= 1, "\(error)")
        }
    }

    @Test func `a NUL byte and bytes that are no text are refused`() {
        for bytes: [UInt8] in [[0x61, 0], [0xff, 0xfe, 0x00, 0xd8], [0x61, 0x3a, 0x20, 0xff], [0x80]] {
            #expect(throws: YAMLReader.Problem.self) { try YAMLReader.read(bytes) }
        }
    }

    @Test func `depth and number of values are bounded`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try read(nested(32)) }
        #expect(throws: YAMLReader.Problem.self) { try read(nested(33)) }
        #expect(throws: YAMLReader.Problem.self) { try read(nested(100_000)) }
        let many = "[" + String(repeating: "1,", count: 100_001) + "]"
        #expect(throws: YAMLReader.Problem.self) { try read(many) }
    }

    @Test func `every value knows its line`() throws {
        guard case .mapping(let entries) = try read("a: 1\nb:\n  - x\n  - y\nc: {d: 2}").content,
            case .list(let items) = entries[1].value.content
        else { return #expect(Bool(false)) }
        #expect(entries.map(\.keyLine) == [1, 2, 5])
        #expect(items.map(\.line) == [3, 4])
    }

    @Test func `random bytes never do harm`() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("a:-[]{}\n \t\"'&*!|>%@#,?~0\\<\u{1}é".utf8)
        for _ in 0..<2000 {
            let count = Int.random(in: 0..<60, using: &generator)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            _ = try? YAMLReader.read(bytes)
        }
    }
}

import Foundation
import Settings
import Testing

@testable import ProxyKit

/// Each text is read by the program that it is for.
@Suite struct VariableFormatTests {
    /// Values that careless quoting changes.
    static let values = [
        "plain", "http://127.0.0.1:8080", "two  blanks ", " leading", "it's", "\"quoted\"", "$HOME `id` $(id)",
        "back\\slash\\",
        "a\\'b", "*?[x]", "#no comment", "a=b;c&d|e>f", "ü ‘curly’", "%PATH%", "!event", "~", "'", "''\\''",
    ]

    private func variables(_ values: [String]) -> [ClientVariable] {
        values.enumerated().map { ClientVariable("V\($0.offset)", $0.element) }
    }

    /// What a program that has read the text gives its children.
    private func readBack(_ words: (String) -> [String], _ text: String, _ count: Int) throws -> [String] {
        try withFolder { folder in
            let file = folder.appending(path: "variables")
            try Data(text.utf8).write(to: file)
            let result = try run(words(file.path))
            #expect(result.errors.isEmpty)
            var found: [Substring: String] = [:]
            for entry in result.output.split(separator: "\0") {
                let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                found[parts[0]] = String(parts[1])
            }
            return (0..<count).map { found["V\($0)"] ?? "missing" }
        }
    }

    @Test(arguments: [false, true])
    func `a POSIX shell gets every value as it is`(extending: Bool) throws {
        let text = try VariableFormat.sh.text(variables(Self.values), extending: extending)
        let shell = { file in ["sh", "-c", ". \"$0\"; env -0", file] }
        #expect(try readBack(shell, text, Self.values.count) == Self.values)
    }

    @Test(arguments: [false, true])
    func `fish gets every value as it is`(extending: Bool) throws {
        let text = try VariableFormat.fish.text(variables(Self.values), extending: extending)
        let shell = { file in ["fish", "--no-config", "-c", "source $argv[1]; env -0", file] }
        #expect(try readBack(shell, text, Self.values.count) == Self.values)
    }

    @Test func `python-dotenv gets every value that the format can carry, and the others are refused`() throws {
        let carried = Self.values.filter { (try? VariableFormat.dotenv.text([ClientVariable("V", $0)])) != nil }
        #expect(Set(Self.values).subtracting(carried) == ["back\\slash\\", "a\\'b", "''\\''"])
        let text = try VariableFormat.dotenv.text(variables(carried))
        let script = """
            import sys, dotenv
            values = dotenv.dotenv_values(sys.argv[1])
            sys.stdout.write("\\0".join(f"{name}={value}" for name, value in values.items()))
            """
        #expect(try readBack({ [testPython, "-c", script, $0] }, text, carried.count) == carried)
    }

    @Test func `docker and GitHub take everything behind the first equals sign`() throws {
        for format in [VariableFormat.docker, .github] {
            let text = try format.text(variables(Self.values))
            #expect(text == Self.values.enumerated().map { "V\($0.offset)=\($0.element)\n" }.joined())
        }
    }

    @Test func `JSON is read back`() throws {
        let text = try VariableFormat.json.text(variables(Self.values))
        let object = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        #expect((0..<Self.values.count).map { object["V\($0)"] } == Self.values)
        #expect(try VariableFormat.json.text([]) == "{\n\n}\n")
    }

    @Test func `PowerShell's quotes are doubled, the typographic ones too`() throws {
        let text = try VariableFormat.powershell.text([ClientVariable("V", "it's ‘so’ $env:X `n")])
        #expect(text == "$env:V = 'it''s ‘‘so’’ $env:X `n'\n")
    }

    @Test(arguments: VariableFormat.allCases)
    func `a line end in a value is refused, and the value is not repeated`(format: VariableFormat) {
        for value in ["secret\nX=1", "secret\r", "secret\u{7f}", "secret\0"] {
            let fault = #expect(throws: UnwritableVariable.self) {
                try format.text([ClientVariable("V", value)])
            }
            #expect(fault?.description.contains("secret") == false)
            #expect(fault?.description.hasPrefix("V: ") == true)
        }
    }

    @Test(arguments: [("sh", ". \"$0\"; env -0"), ("fish", "source $argv[1]; env -0")])
    func `a shell's own value is extended by the text itself`(shell: String, script: String) throws {
        let format = try #require(VariableFormat(rawValue: shell))
        let text = try format.text([ClientVariable("V0", "our's", separator: " ")], extending: true)
        for (before, after) in [("", "our's"), ("-Xmx1g -Da='b c'", "-Xmx1g -Da='b c' our's")] {
            let said = try withFolder { folder in
                let file = folder.appending(path: "variables")
                try Data(text.utf8).write(to: file)
                return try run([shell, "-c", script, file.path], environment: ["V0": before])
            }
            #expect(said.output.split(separator: "\0").contains("V0=\(after)"))
        }
    }
}

import Testing
import WAFTokens

struct CommandWordsTests {
    @Test(
        "Words are split by POSIX rules, without expansion",
        arguments: [
            ("get-token --stage ci", ["get-token", "--stage", "ci"]), ("  a\t b\nc ", ["a", "b", "c"]),
            ("a 'b c' \"d e\"", ["a", "b c", "d e"]), ("a''b", ["ab"]), ("a '' \"\"", ["a", "", ""]),
            (#"a\ b"#, ["a b"]), (#"'a\b'"#, [#"a\b"#]), (#""a\"b\\c\$d\x""#, [#"a"b\c$d\x"#]),
            ("$HOME `x` *", ["$HOME", "`x`", "*"]), ("a\\\nb", ["ab"]), ("\"a\\\nb\"", ["ab"]), (#"\\"#, [#"\"#]),
            ("a;b|c>d", ["a;b|c>d"]), ("x'y'\"z\"", ["xyz"]),
        ])
    func words(line: String, words: [String]) {
        #expect(CommandWords.split(line) == words)
    }

    @Test(
        "An open quote, a backslash at the end and no word at all are refused",
        arguments: ["'a", "\"a", "a\\", "", "  "])
    func refused(line: String) {
        #expect(CommandWords.split(line) == nil)
    }
}

import Testing

@testable import Settings

@Suite struct CommandWordsTests {
    @Test(arguments: [
        ("get-token --stage ci", ["get-token", "--stage", "ci"]),
        ("  a\t b\n", ["a", "b"]),
        (#"'a b' "c d" e\ f"#, ["a b", "c d", "e f"]),
        (#"a'b'"c"d"#, ["abcd"]),
        (#"x '' """#, ["x", "", ""]),
        (#"x "a\"b\\c\$d\e""#, ["x", #"a"b\c$d\e"#]),
        (#"x 'a\b$c'"#, ["x", #"a\b$c"#]),
        (#"echo $HOME *.txt ~ #no"#, ["echo", "$HOME", "*.txt", "~", "#no"]),
        ("a\\\nb", ["ab"]),
    ]) func `words are split as a shell does, without expansion`(text: String, words: [String]) {
        #expect(CommandWords.split(text) == words)
        #expect(CommandWords.split(CommandWords.joined(words)) == words)
    }

    @Test(arguments: ["", "   ", "'a", "\"a", "a\\", "'' a", "a\0b"])
    func `open quotes and empty commands are refused`(text: String) {
        #expect(CommandWords.split(text) == nil)
    }
}

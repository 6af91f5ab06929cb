import Testing

@testable import Settings

/// The scripts say what the declaration says; that shells understand them is a test of its own, end to end.
@Suite struct CompletionTests {
    @Test(arguments: Shell.allCases) func `every command and each word that may follow it is in the script`(
        shell: Shell
    ) {
        for command in Command.allCases {
            for word in [command.rawValue] + command.declaration.words {
                #expect(shell.completion.contains(word), "\(word)")
            }
        }
    }

    @Test(arguments: Command.allCases) func `bash offers every flag of a command, and no other`(command: Command) throws
    {
        let branch = "                \(command.rawValue)) words='"
        let line = try #require(BashCompletion.script.split(separator: "\n").last { $0.hasPrefix(branch) })
        let words = line.dropFirst(branch.count).prefix { $0 != "'" }.split(separator: " ").map(String.init)
        #expect(words == command.declaration.words + FlagReader.flags(of: command))
    }

    @Test(arguments: Command.allCases) func `zsh and fish have a line for every flag of a command`(command: Command) {
        for option in OptionEntry.of(command) {
            for flag in [option.flag, option.negation].compactMap({ $0 }) {
                let inZsh = flag + (option.value == .none ? "[" : "=[")
                #expect(ZshCompletion.script.contains("'\(inZsh)") || ZshCompletion.script.contains("'*\(inZsh)"))
                let inFish = "'__waf_token_proxy_command \(command.rawValue)' -l \(flag.dropFirst(2)) "
                #expect(FishCompletion.script.contains(inFish))
            }
        }
    }

    @Test func `a text stays one word inside quotes`() {
        #expect(Shell.bash.quoted("it's") == #"'it'\''s'"#)
        #expect(Shell.zsh.quoted(#"a\b"#) == #"'a\b'"#)
        #expect(Shell.fish.quoted(#"it's a\b"#) == #"'it\'s a\\b'"#)
    }
}

import Testing

@testable import Settings

@Suite struct ManPageTests {
    private let lines = ManPage.roff.split(separator: "\n").map(String.init)

    @Test(arguments: DeclaredCase.all) func `every setting is a term, with its variable`(setting: DeclaredCase) {
        #expect(lines.contains { $0.hasPrefix(Roff.bold(setting.flag)) })
        #expect(ManPage.roff.contains(Roff.text(setting.variable)))
    }

    @Test(arguments: Command.allCases) func `every command is a term that names each of its flags`(command: Command)
        throws
    {
        let start = try #require(lines.firstIndex { $0.hasPrefix(Roff.bold(command.rawValue)) })
        let entry = lines[start...].prefix { $0 != ".TP" && !$0.hasPrefix(".S") }.joined(separator: " ")
        for option in OptionEntry.of(command) { #expect(entry.contains(Roff.bold(option.flag)), "\(option.flag)") }
    }

    @Test func `every exit code is in it`() {
        for code in ExitCode.allCases { #expect(lines.contains(Roff.bold("\(code.rawValue)"))) }
    }
}

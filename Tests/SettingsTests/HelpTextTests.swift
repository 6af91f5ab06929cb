import Testing

@testable import Settings

@Suite struct HelpTextTests {
    @Test(arguments: DeclaredCase.all) func `every setting is in the help of its commands`(setting: DeclaredCase) throws
    {
        for command in setting.commands {
            let lines = HelpText.text(for: command).split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("  \(setting.flag)") })
        }
    }

    @Test func `help is ASCII and at most 100 columns, but for placeholders`() {
        for command in Command.allCases {
            let text = HelpText.text(for: command)
            #expect(text.utf8.allSatisfy { $0 == 0x0a || ($0 >= 0x20 && $0 < 0x7f) })
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
            #expect(HelpText.overview.contains("  \(command.rawValue)"))
        }
    }
}

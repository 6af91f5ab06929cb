import Testing

@testable import Settings

@Suite struct OptionEntryTests {
    private func option(_ flag: String, _ command: Command) throws -> OptionEntry {
        try #require(OptionEntry.of(command).first { $0.flag == flag })
    }

    @Test func `what may stand behind a flag is known where the declaration says it`() throws {
        #expect(try option("--log-level", .run).value == .words(["trace", "debug", "info", "warning", "error"]))
        #expect(try option("--for", .ready).value == .words(["listener", "ca", "token"]))
        #expect(try option("--config", .check).value == .file)
        #expect(try option("--listen", .run).value == .text)
        #expect(try option("--explain", .run).value == .none)
    }

    @Test func `a secret's flag takes a file`() throws {
        let option = try option("--admin-token-file", .run)
        #expect(option.value == .file)
        #expect(option.placeholder == "FILE")
        #expect(!option.isRepeatable)
    }

    @Test func `every flag that the command line reads is an entry, and the other way round`() {
        for command in Command.allCases {
            let flags = OptionEntry.of(command).flatMap { [$0.flag, $0.negation].compactMap { $0 } }
            #expect(Set(flags + ["--help", "--version"]) == Set(FlagReader.flags(of: command)))
        }
    }
}

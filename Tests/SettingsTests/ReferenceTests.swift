import Testing

@testable import Settings

@Suite struct ReferenceTests {
    @Test(arguments: DeclaredCase.all) func `every setting is in the reference in all its spellings`(
        setting: DeclaredCase
    ) {
        let rows = Reference.markdown.split(separator: "\n")
        #expect(rows.contains { $0.contains("`\(setting.flag)`") && $0.contains("`\(setting.variable)`") })
        if setting.isInFile { #expect(rows.contains { $0.hasPrefix("| `\(setting.key)`") }) }
    }

    @Test func `every row has six cells`() {
        for row in Reference.markdown.split(separator: "\n") where row.hasPrefix("|") {
            #expect(row.replacing("\\|", with: "").split(separator: "|", omittingEmptySubsequences: false).count == 8)
        }
    }
}

import Testing

@testable import Emulator

@Suite struct RuleTests {
    @Test(
        "The longest prefix holds; without one everything is allowed",
        arguments: [
            ("/", RuleAction.count), ("/x", .count), ("/a", .challenge), ("/abc", .challenge), ("/a/", .block),
            ("/a/b/c", .block),
            ("/A", .count), ("*", .allow),
        ])
    func longest(path: String, action: RuleAction) {
        let rules = [
            Rule(prefix: "/a", action: .challenge), Rule(prefix: "/", action: .count),
            Rule(prefix: "/a/", action: .block),
            Rule(prefix: "/a", action: .allow),
        ]
        #expect(rules.rule(for: path).action == action)
        #expect([Rule]().rule(for: path).action == .allow)
    }

    @Test("By default /protected is challenged and nothing else")
    func defaults() {
        let rules = EmulatorState.Defaults().rules
        #expect(rules.rule(for: "/protected/get").action == .challenge)
        #expect(rules.rule(for: "/get").action == .allow)
    }
}

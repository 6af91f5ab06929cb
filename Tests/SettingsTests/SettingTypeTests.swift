import Testing

@testable import Settings

@Suite struct SettingTypeTests {
    /// Takes `yes`, has a word of its own for `no`, and refuses everything else.
    static let type = SettingType<Int>.text("yes", placeholder: "YES", examples: ["yes"]) {
        "yes\($0)"
    } read: { text throws(ValueProblem) in
        if text == "no" { throw ValueProblem(value: "never shown", allowed: "anything but no", line: 9) }
        return text == "yes" ? 1 : nil
    }

    private func parse<Value>(_ node: Node, _ type: SettingType<Value>) -> (value: Value?, problems: [ValueProblem]) {
        var problems: [ValueProblem] = []
        let value = type.parse(node, &problems)
        return (value, problems)
    }

    @Test func `a text that is taken is no problem`() {
        let (value, problems) = parse(Node(.scalar("yes")), Self.type)
        #expect(value == 1 && problems.isEmpty)
    }

    @Test(arguments: [
        (Node(.scalar("maybe"), line: 2), ValueProblem(value: "maybe", line: 2)),
        (Node(.scalar("no"), line: 2), ValueProblem(value: "no", allowed: "anything but no", line: 2)),
        (Node(.null, line: 4), ValueProblem(value: "null", line: 4)),
        (Node(.list([]), line: 5), ValueProblem(value: "a list", line: 5)),
        (Node(.mapping([])), ValueProblem(value: "a mapping")),
    ])
    func `what is refused is named with its line, and with what the type says of it`(
        node: Node, problem: ValueProblem
    ) {
        let (value, problems) = parse(node, Self.type)
        #expect(value == nil)
        #expect(problems == [problem])
    }

    @Test func `no value is null in the file, and null or the type's own word in a text`() {
        let type = Self.type.optional(shownAs: "none")
        for node in [
            Node(.null, line: 1), Node(.scalar("null")), Node(.scalar("none")), Node(.scalar("none"), line: 1),
        ] {
            let (value, problems) = parse(node, type)
            #expect(value == .some(.none) && problems.isEmpty, "\(node)")
        }
        // Quoted in the file, null is a text like any other.
        #expect(parse(Node(.scalar("null"), line: 1), type).problems == [ValueProblem(value: "null", line: 1)])
        #expect(parse(Node(.scalar("yes")), type).value == .some(1))
        #expect(type.allowed == "yes, or none")
        #expect(type.show(nil) == "none" && type.show(2) == "yes2")
    }

    @Test func `a mask and other words change nothing else, and a mask survives that a value may be missing`() {
        let type = Self.type.masking { _ in "***" }.saying("y").optional()
        #expect(type.mask("secret") == "***")
        #expect(type.allowed == "y, or null")
        #expect(type.examples == ["yes"] && type.placeholder == "YES")
        #expect(Self.type.mask("plain") == "plain")
    }
}

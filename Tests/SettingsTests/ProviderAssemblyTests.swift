import Testing

@testable import Settings

@Suite struct ProviderAssemblyTests {
    static let two = """
        providers:
          - { name: shop, hosts: [shop.test], source: { path: a } }
          - { name: pay, hosts: [pay.test], source: { path: b } }
        """

    @Test func `the provider of flags comes before those of the file`() {
        let result = load(.run, goodProvider.map { $0 == "shop.test" ? "other.test" : $0 }, yaml: Self.two)
        #expect(result.lines.isEmpty)
        #expect(result.root.proxy.providers.map(\.name) == ["default", "shop", "pay"])
    }

    @Test func `the file's provider called default, or its first without a name, is the one that flags change`() {
        for yaml in ["{name: default, hosts: [a.test], source: {path: t}}", "{hosts: [a.test], source: {path: t}}"] {
            let result = load(.run, ["--keep-warm"], yaml: "providers: [\(yaml)]")
            #expect(result.lines.isEmpty)
            #expect(result.root.proxy.providers.count == 1)
            #expect(result.provider?.keepWarm == true)
            #expect(result.provider?.hosts == ["a.test"])
        }
    }

    @Test(arguments: [
        ("shop", #""shop" is the name of another provider"#), ("", "must be a name"), ("a b", "must be a name"),
        ("[x]", "must be a name"),
    ]) func `names are unique and simple`(name: String, problem: String) {
        let quoted = name.hasPrefix("[") ? name : "'\(name)'"
        let yaml = Self.two.replacing("name: pay", with: "name: \(quoted)")
        let result = load(yaml: yaml)
        #expect(result.faults.count == 1, "\(result.lines)")
        #expect(result.lines.first?.contains(problem) == true, "\(result.lines)")
        #expect(result.lines.first?.hasPrefix("providers[1].name (waf-token-proxy.yaml:3)") == true)
    }

    @Test func `only the first provider may go without a name`() {
        let result = load(yaml: Self.two.replacing("name: pay,", with: ""))
        #expect(result.lines == ["providers[1].name (waf-token-proxy.yaml:3): missing; only the first may go without"])
    }
}

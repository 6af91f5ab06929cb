import Settings
import Testing

@testable import ProxyKit

@Suite struct ChildEnvironmentTests {
    private let client = ClientVariables(
        proxy: "127.0.0.1:8080", trustKit: "/kit", noProxy: ["localhost"], java: .toolOptions)

    private func make(_ parent: [String: String], hosts: [String] = ["shop.test"]) -> ChildEnvironment {
        ChildEnvironment(from: parent, adding: client, hosts: hosts)
    }

    @Test func `settings of ours are left out, whatever they are called`() {
        let ours = [
            "WAF_TOKEN", "WAF_TOKEN_PROXY_TOKEN_VALUE", "WAF_TOKEN_PROXY_TOKEN_VALUE_FILE", "WAF_TOKEN_PROXY_X",
        ]
        let parent = Dictionary(uniqueKeysWithValues: ours.map { ($0, "secret") }).merging(["MINE": "1"]) { $1 }
        let child = make(parent)
        #expect(child.variables.values.allSatisfy { !$0.contains("secret") })
        #expect(child.variables["MINE"] == "1")
        #expect(child.variables["https_proxy"] == "http://127.0.0.1:8080")
        #expect(child.warnings.isEmpty)
    }

    @Test func `hosts that clients would not ask the proxy for are warned of, one line each`() {
        let child = make(
            ["no_proxy": "corp", "NO_PROXY": "corp,.test"], hosts: ["shop.test", "a.org", "*.api.test:8443"])
        #expect(child.warnings.count == 2)
        #expect(child.warnings[0].hasPrefix("NO_PROXY holds .test: clients do not ask the proxy for shop.test;"))
        #expect(child.warnings[1].contains("*.api.test:8443"))
        #expect(make([:], hosts: ["localhost"]).warnings.count == 1, "swallowed by what we add ourselves")
    }

    @Test func `another proxy that ours takes the place of is warned of, unless ours asks one`() {
        let parent = ["HTTPS_PROXY": "http://name:secret@corp:3128", "http_proxy": ""]
        #expect(make(parent).warnings.count == 1)
        #expect(make(parent).warnings[0].hasPrefix("HTTPS_PROXY names another proxy;"))
        #expect(!make(parent).warnings[0].contains("secret"))
        let child = ChildEnvironment(from: parent, adding: client, hosts: [], hasParentProxy: true)
        #expect(child.warnings.isEmpty)
        #expect(child.variables["HTTPS_PROXY"] == "http://127.0.0.1:8080")
    }

    @Test func `a trust store that Java is told of already is warned of`() {
        #expect(make(["JAVA_TOOL_OPTIONS": "-Djavax.net.ssl.trustStore=/mine"]).warnings.count == 1)
        #expect(make(["JDK_JAVA_OPTIONS": "-Djavax.net.ssl.trustStore=/mine"]).warnings.isEmpty)
    }
}

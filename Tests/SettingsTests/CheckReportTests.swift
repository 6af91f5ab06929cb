import Testing

@testable import Settings

@Suite struct CheckReportTests {
    @Test func `check shows every value with where it came from`() throws {
        let output = try #require(
            printed(["check"] + goodProvider, ["WAF_TOKEN_PROXY_VIA": "false"], yaml: "threads: 2"))
        #expect(output.exitCode == .success)
        #expect(output.standardError.isEmpty)
        let rows = output.standardOutput.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true)
        }
        #expect(rows.contains(["threads", "2", "waf-token-proxy.yaml:1"]))
        #expect(rows.contains(["via", "false", "WAF_TOKEN_PROXY_VIA"]))
        #expect(rows.contains(["providers.default.hosts", "shop.test", "--host"]))
        #expect(rows.contains(["explain", "false", "default"]))
        #expect(output.standardOutput.hasSuffix("ok: 1 provider(s), no faults\n"))
        for setting in DeclaredCase.all where setting.commands.contains(.check) && !setting.key.hasPrefix("source.") {
            #expect(rows.contains { $0.first.map(String.init) == setting.shownKey })
        }
    }

    @Test func `check shows every fault, one line each, and ends with 2`() throws {
        let output = try #require(printed(["check", "--threads", "x", "--via=x", "--host", "shop.test"]))
        #expect(output.exitCode == .usage)
        #expect(output.standardError.split(separator: "\n").count == 3)
        #expect(output.standardOutput.hasSuffix("3 fault(s)\n"))
    }
}

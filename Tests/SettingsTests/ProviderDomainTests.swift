import Testing

@testable import Settings

@Suite struct ProviderDomainTests {
    @Test func `a token's domain is a name somebody can own`() {
        for name in ["com", "uk", "co.uk", "cloudfront.net"] {
            let result = load(.run, goodProvider + ["--domain-name", name])
            #expect(result.faults.count == 1)
            #expect(result.lines.first?.contains("public suffix") == true)
        }
        for name in ["shop.test", "shop", "localhost", "127.0.0.1", "a.co.uk"] {
            #expect(load(.run, goodProvider + ["--domain-name", name]).faults.isEmpty)
        }
    }

    @Test func `a domain that follows from the first host is judged as one that was given`() {
        let result = load(.run, ["--host", "co.uk", "--token-file", "/run/token"])
        #expect(result.lines.filter { $0.contains("domainName") && $0.contains("public suffix") }.count == 1)
        #expect(load(.run, ["--host", "*.shop:8443", "--token-file", "/run/token"]).faults.isEmpty)
    }
}

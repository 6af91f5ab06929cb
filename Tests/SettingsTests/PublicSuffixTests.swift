import Testing

@testable import Settings

@Suite struct PublicSuffixTests {
    @Test func `a token's domain is a name somebody can own`() {
        for name in ["test", "com", "co.uk", "cloudfront.net"] {
            let result = load(.run, goodProvider + ["--domain-name", name])
            #expect(result.faults.count == 1)
            #expect(result.lines.first?.contains("public suffix") == true)
        }
        for name in ["shop.test", "localhost", "127.0.0.1", "a.co.uk"] {
            #expect(load(.run, goodProvider + ["--domain-name", name]).faults.isEmpty)
        }
    }
}

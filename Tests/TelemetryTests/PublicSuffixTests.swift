import Telemetry
import Testing

@Suite struct PublicSuffixTests {
    @Test(
        "names below which strangers register are told from names that somebody owns",
        arguments: [
            ("com", true), ("org", true), ("uk", true), ("co.uk", true), ("com.au", true), ("github.io", true),
            ("cloudfront.net", true), ("shop", false), ("app", false), ("localhost", false), ("shop.test", false),
            ("a.co.uk", false), ("example.com", false), ("127.0.0.1", false),
        ])
    func table(name: String, isSuffix: Bool) {
        #expect(PublicSuffix.contains(name) == isSuffix)
    }
}

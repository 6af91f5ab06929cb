import Testing

@testable import Settings

@Suite struct URLTextTests {
    @Test(arguments: [
        "http://issuer", "https://issuer.test:9000/token?a=b", "HTTP://issuer/", "http://[::1]:80/x",
        "http://127.0.0.1?x",
    ]) func `absolute URLs are taken`(text: String) {
        #expect(URLText.isValid(text))
    }

    @Test(arguments: [
        "", "issuer/token", "ftp://issuer/", "http://", "http:///x", "http://user@issuer/", "http://user:pw@issuer/",
        "http://issuer:0/", "http://issuer:x/", "http://iss uer/", "http://issuer/#x", "http://issuer/\n",
        "http://a_b..c/",
    ]) func `others are refused`(text: String) {
        #expect(!URLText.isValid(text))
    }

    @Test(arguments: [
        ("http://issuer/token", "http://issuer/token"), ("http://issuer/t?key=s3cret", "http://issuer/t?<redacted>"),
        ("http://u:s3cret@issuer/t", "http://<redacted>@issuer/t"), ("u:s3cret@issuer", "<redacted>@issuer"),
        ("http://issuer/#s3cret", "http://issuer/?<redacted>"),
    ]) func `what may be a secret in a URL is not shown`(text: String, shown: String) {
        #expect(URLText.masked(text) == shown)
    }

    @Test func `neither a fault nor check shows the secret of a URL`() {
        for url in ["http://u:s3cret@issuer/t", "http://issuer/t?key=s3cret", "u:s3cret@issuer?s3cret"] {
            let output = printed(["check", "--host", "shop.test", "--token-url", url])
            #expect(!"\(String(describing: output))".contains("s3cret"))
        }
    }
}

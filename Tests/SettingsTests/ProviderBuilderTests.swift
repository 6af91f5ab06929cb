import Telemetry
import Testing

@testable import Settings

@Suite struct ProviderBuilderTests {
    @Test func `the three commonest set-ups work with flags alone`() throws {
        var http = HTTPSourceSettings(url: "http://issuer/token")
        http.method = "POST"
        let cases: [([String], [String: String], TokenSourceSettings)] = [
            (["--token-url", "http://issuer/token"], [:], .http(http)),
            (
                ["--token-command", "get-token --stage ci"], [:],
                .exec(command: ["get-token", "--stage", "ci"], timeoutMsec: 10_000)
            ),
            (["--token-file", "/run/secrets/waf-token"], [:], .file(path: "/run/secrets/waf-token")),
            ([], ["WAF_TOKEN": "tok"], .fixed(Redacted("tok"))),
        ]
        for (arguments, environment, source) in cases {
            let result = load(.run, ["--host", "shop.test"] + arguments, environment)
            #expect(result.lines.isEmpty)
            #expect(result.provider?.source == source)
            #expect(result.provider?.name == "default")
            #expect(result.provider?.domainName == "shop.test")
        }
    }

    @Test func `the domain is the first host's name unless it is given`() {
        for (host, domain) in [("*.shop.test:8443", "shop.test"), ("[::1]:80", "::1"), ("127.0.0.1", "127.0.0.1")] {
            #expect(load(.run, ["--host", host, "--token-file", "t"]).provider?.domainName == domain)
        }
        #expect(load(.run, goodProvider + ["--domain-name", "Example.com."]).provider?.domainName == "example.com")
    }

    @Test func `hosts are required`() {
        let result = load(.run, ["--token-file", "t"])
        #expect(result.faults.count == 1)
        #expect(
            result.lines.first?.hasPrefix("providers.default.hosts (--token-file): missing; must be a list") == true)
        #expect(load(yaml: "providers: [{hosts: [], source: {path: t}}]").faults.count == 1)
    }

    @Test(arguments: [
        (["--token-refresh-delay-sec", "87"], "an integer from 88 to 300 with profile sdk-current"),
        (["--token-refresh-delay-sec", "301"], "an integer from 88 to 300 with profile sdk-current"),
        (
            ["--profile", "sdk-2023", "--token-refresh-delay-sec", "299"],
            "an integer from 300 to 600 with profile sdk-2023"
        ),
        (["--max-retry-count", "101"], "an integer from 0 to 100 with profile sdk-current"),
        (["--profile", "sdk-2023", "--max-retry-count", "11"], "an integer from 0 to 10 with profile sdk-2023"),
        (["--max-error-token-refresh-delay-msec", "30001"], "an integer from 1 to 30000 with profile sdk-current"),
    ]) func `a value outside the profile's range is refused, not clamped`(arguments: [String], allowed: String) {
        let result = load(.run, goodProvider + arguments)
        #expect(result.faults.count == 1, "\(result.lines)")
        #expect(result.lines.first?.hasSuffix("must be \(allowed)") == true, "\(result.lines)")
        let unrestricted = arguments.filter { $0 != "--profile" && $0 != "sdk-2023" }
        #expect(load(.run, goodProvider + unrestricted + ["--profile", "unrestricted"]).faults.isEmpty)
    }

    @Test(arguments: [
        ([], 88, nil), (["--profile", "sdk-2023"], 300, 5),
        (["--profile", "sdk-2023", "--no-background-refresh-enabled"], 300, 3),
        (["--profile", "unrestricted"], 88, nil),
        (["--max-retry-count", "null"], 88, nil), (["--max-retry-count", "0"], 88, 0),
    ]) func `defaults follow the profile`(arguments: [String], delay: Int, retries: Int?) throws {
        let result = load(.run, goodProvider + arguments)
        #expect(result.lines.isEmpty)
        let provider = try #require(result.provider)
        #expect(provider.tokenRefreshDelaySec == delay)
        #expect(provider.maxRetryCount == retries)
        #expect(result.shown("providers.default.tokenRefreshDelaySec")?.value == "\(delay)")
    }

    @Test(arguments: [
        (["--token-from-header", "X-Token"], HTTPSourceSettings.Answer.header("X-Token")),
        (["--token-from-cookie", "tok"], .cookie("tok")), (["--token-whole-body"], .body),
        (["--token-pointer", "/a", "--expires-in-pointer", "/b"], .json(tokenPointer: "/a", expiresInPointer: "/b")),
        ([], .json(tokenPointer: "/token", expiresInPointer: "/expiresIn")),
        (
            ["--no-token-whole-body", "--token-pointer", "/a"],
            .json(tokenPointer: "/a", expiresInPointer: "/expiresIn")
        ),
    ]) func `an answer holds the token in one place`(arguments: [String], answer: HTTPSourceSettings.Answer) {
        let result = load(.run, goodProvider + arguments)
        #expect(result.lines.isEmpty)
        guard case .http(let source)? = result.provider?.source else { return #expect(Bool(false)) }
        #expect(source.answer == answer)
    }

    @Test func `two places for the token are one fault`() {
        let result = load(.run, goodProvider + ["--token-from-header", "X", "--token-whole-body"])
        #expect(
            result.lines == [
                "providers.default.source (--token-whole-body): more than one place for the token (fromHeader, wholeBody); must be one"
            ])
    }
}

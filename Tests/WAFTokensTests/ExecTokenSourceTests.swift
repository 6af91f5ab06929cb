import Telemetry
import Testing

@testable import WAFTokens

struct ExecTokenSourceTests {
    private func fetch(_ ending: ExecTokenSource.Ending) async throws -> SourceAnswer {
        try await ExecTokenSource(["get-token"]) { _ in ending }.fetch(SourceRequest(domainName: "shop.test"))
    }

    private func ending(_ output: String, status: Int32? = 0, errors: String = "") -> ExecTokenSource.Ending {
        ExecTokenSource.Ending(exitStatus: status, output: Array(output.utf8), errors: Array(errors.utf8))
    }

    @Test("Standard output is the token, or the same JSON")
    func output() async throws {
        #expect(try await fetch(ending("abc\n")).token.getValue() == "abc")
        let answer = try await fetch(ending("{\"token\":\"abc\",\"expiresIn\":9}\n"))
        #expect(answer.token.getValue() == "abc" && answer.expiresIn == .seconds(9))
    }

    @Test("A line end inside the token, no output and too much of it are failures")
    func badOutput() async {
        await #expect(throws: SourceError(.invalidVerifyChallengeResponse, "")) { try await fetch(ending("a\nb\n")) }
        await #expect(throws: SourceError(.invalidVerifyChallengeResponse, "")) { try await fetch(ending("")) }
        let much = [UInt8](repeating: UInt8(ascii: "a"), count: 65_536)
        let cut = ExecTokenSource.Ending(exitStatus: 0, output: much, outputIsCut: true)
        await #expect(throws: SourceError(.invalidVerifyChallengeResponse, "")) { try await fetch(cut) }
    }

    @Test("A command that fails is a failure with its standard error, escaped and cut")
    func failure() async {
        let errors = "no\u{1b}[31m such stage\n" + String(repeating: "x", count: 1000)
        await #expect {
            try await fetch(ending("abc", status: 3, errors: errors))
        } throws: { error in
            guard let error = error as? SourceError else { return false }
            return error.code == .internalError && error.detail.contains("status 3")
                && error.detail.contains("no\\x1b[31m such stage\\x0a") && error.detail.utf8.count < 200
        }
        await #expect(throws: SourceError(.internalError, "")) { try await fetch(ending("abc", status: nil)) }
    }

    @Test("A command that takes too long is a time-out")
    func timeout() async {
        let late = ExecTokenSource.Ending(exitStatus: nil, output: Array("abc".utf8), didTimeOut: true)
        await #expect(throws: SourceError(.socketTimeoutException, "")) { try await fetch(late) }
    }

    @Test("The child's environment loses WAF_TOKEN and the proxy variables, and learns of domain and URL")
    func environment() async throws {
        let names = [
            "PATH", "WAF_TOKEN", "http_proxy", "HTTPS_PROXY", "All_Proxy", "NO_PROXY", "WAF_TOKEN_PROXY_TOKEN_VALUE",
            "HOME", "WAF_TOKENS", "AWS_WAF_DOMAIN_NAME",
        ]
        let child = ExecTokenSource.environment(
            from: names.map { (name: $0, value: "parent") }, adding: [(name: "AWS_WAF_DOMAIN_NAME", value: "shop.test")]
        )
        #expect(child.map(\.name) == ["PATH", "HOME", "WAF_TOKENS", "AWS_WAF_DOMAIN_NAME"])
        #expect(child.last?.value == "shop.test")
        let seen = Lock<[String]>([])
        let source = ExecTokenSource(["get-token", "--stage"]) { command in
            seen.withLock { $0 = command.arguments + command.additions.map { "\($0.name)=\($0.value)" } }
            return ExecTokenSource.Ending(exitStatus: 0, output: Array("abc".utf8))
        }
        _ = try await source.fetch(
            SourceRequest(applicationIntegrationURL: "https://a.test/", domainName: "shop.test"))
        let expected = [
            "get-token", "--stage", "AWS_WAF_DOMAIN_NAME=shop.test",
            "AWS_WAF_APPLICATION_INTEGRATION_URL=https://a.test/",
        ]
        #expect(seen.withLock { $0 } == expected)
    }
}

import Telemetry
import Testing

@testable import WAFTokens

struct HTTPTokenSourceTests {
    private func fetch(
        _ answer: HTTPTokenSource.Answer, status: Int = 200, fields: [(String, String)] = [], body: String = ""
    ) async throws -> SourceAnswer {
        let source = HTTPTokenSource(HTTPTokenSource.Request(url: "http://issuer.test/token"), answer: answer) { _ in
            HTTPTokenSource.Response(
                status: status, fields: fields.map { (name: $0.0, value: Array($0.1.utf8)) }, body: Array(body.utf8))
        }
        return try await source.fetch(SourceRequest(domainName: "shop.test"))
    }

    private let json = HTTPTokenSource.Answer.json(
        token: JSONPointer("/data/token")!, expiresIn: JSONPointer("/data/ttl")!)

    @Test("A JSON answer is read at its pointers")
    func pointers() async throws {
        let answer = try await fetch(json, body: #"{"data":{"token":"abc","ttl":60}}"#)
        #expect(answer.token.getValue() == "abc")
        #expect(answer.expiresIn == .seconds(60))
    }

    @Test("The whole body can be the token")
    func body() async throws {
        #expect(try await fetch(.body, body: "abc\n").token.getValue() == "abc")
        await #expect(throws: SourceError.self) { try await fetch(.body, body: "") }
    }

    @Test("A response field can be the token, if it stands there once")
    func header() async throws {
        #expect(try await fetch(.header("X-Token"), fields: [("x-token", "abc")]).token.getValue() == "abc")
        await #expect(throws: SourceError.self) { try await fetch(.header("x-token")) }
        await #expect(throws: SourceError.self) {
            try await fetch(.header("x-token"), fields: [("x-token", "a"), ("X-Token", "b")])
        }
    }

    @Test("A cookie that the response sets can be the token; the last of its name counts")
    func cookie() async throws {
        let fields = [
            ("Set-Cookie", "aws-waf-token=old; Path=/"), ("set-cookie", " aws-waf-token = abc ; Secure"),
            ("Set-Cookie", "aws-waf-token2=x"), ("X-Other", "aws-waf-token=y"),
        ]
        #expect(try await fetch(.cookie("aws-waf-token"), fields: fields).token.getValue() == "abc")
        await #expect(throws: SourceError.self) { try await fetch(.cookie("AWS-WAF-TOKEN"), fields: fields) }
    }

    @Test("A status other than 2xx is a failure, whatever the body", arguments: [199, 301, 400, 404, 500, 503])
    func status(code: Int) async {
        await #expect(throws: SourceError(.errorInvokingVerifyEndpoint, "")) {
            try await fetch(.body, status: code, body: "abc")
        }
    }

    @Test("A body over 64 KiB is a failure")
    func tooLong() async {
        await #expect(throws: SourceError(.invalidVerifyChallengeResponse, "")) {
            try await fetch(.body, body: String(repeating: "a", count: 65_537))
        }
    }

    @Test("What goes wrong on the way is told as it is")
    func transport() async {
        let source = HTTPTokenSource(HTTPTokenSource.Request(url: "http://issuer.test"), answer: .body) {
            _ throws(SourceError) in throw SourceError(.errorInvokingGetChallengeEndpoint, "refused")
        }
        await #expect(throws: SourceError(.errorInvokingGetChallengeEndpoint, "")) {
            try await source.fetch(SourceRequest(domainName: "shop.test"))
        }
    }

    @Test("The request's secrets cannot be printed")
    func secrets() {
        let request = HTTPTokenSource.Request(
            url: "http://issuer.test", headers: [SecretHeader(name: "authorization", value: Redacted("hush"))],
            body: Redacted(Array("hush".utf8)))
        #expect(!"\(request)".contains("hush"))
    }
}

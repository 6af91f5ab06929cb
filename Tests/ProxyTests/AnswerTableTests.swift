import EventLoop
import HTTP
import Testing
import Upstream
import WAFTokens

@testable import Proxy

@Suite struct AnswerTableTests {
    struct Row: CustomTestStringConvertible {
        var refusal: Refusal
        var status: Int
        var error: String
        var testDescription: String { "\(status) \(error)" }
    }

    private static func upstream(_ code: UpstreamError.Code) -> Refusal { .upstream(UpstreamError(code, "a sentence")) }

    @Test(
        "every row of the contract's table",
        arguments: [
            Row(refusal: .notAProxyRequest, status: 400, error: "http_request_error"),
            Row(refusal: .headTooSlow, status: 408, error: "http_request_error"),
            Row(refusal: .clientNotAllowed, status: 403, error: "http_request_denied"),
            Row(refusal: .destinationProhibited(.cloudMetadata), status: 403, error: "destination_ip_prohibited"),
            Row(refusal: .loop, status: 508, error: "proxy_loop_detected"),
            Row(refusal: .noToken(.holdTimeout), status: 503, error: "proxy_internal_response"),
            Row(refusal: .clearTextRefused, status: 403, error: "http_request_denied"),
            Row(refusal: .unresolvedChallenge(.challengedAgain), status: 502, error: "proxy_internal_response"),
            Row(refusal: .dialFailed(.timedOut), status: 504, error: "connection_timeout"),
            Row(
                refusal: .dialFailed(.failed(SystemError(errno: 111, in: "connect"))), status: 502,
                error: "connection_refused"),
            Row(
                refusal: .dialFailed(.failed(SystemError(errno: 113, in: "connect"))), status: 502,
                error: "destination_ip_unroutable"),
            Row(refusal: upstream(.nameNotFound), status: 502, error: "dns_error"),
            Row(refusal: upstream(.refused), status: 502, error: "connection_refused"),
            Row(refusal: upstream(.unreachable), status: 502, error: "destination_ip_unroutable"),
            Row(refusal: upstream(.certificate), status: 502, error: "tls_certificate_error"),
            Row(refusal: upstream(.closedEarly), status: 502, error: "http_response_incomplete"),
            Row(refusal: upstream(.malformedResponse), status: 502, error: "http_protocol_error"),
            Row(refusal: upstream(.connectTimeout), status: 504, error: "connection_timeout"),
            Row(refusal: upstream(.responseTimeout), status: 504, error: "http_response_timeout"),
            Row(refusal: upstream(.destinationProhibited), status: 403, error: "destination_ip_prohibited"),
            Row(refusal: .shuttingDown, status: 503, error: "proxy_internal_response"),
            Row(refusal: .tooManyConnections, status: 503, error: "connection_limit_reached"),
        ])
    func rows(row: Row) {
        let answer = AnswerTable.answer(for: row.refusal)
        #expect(answer.status == row.status)
        #expect(answer.error?.description == row.error)
        #expect(!answer.sentence.isEmpty)
    }

    @Test(
        "every upstream error has an answer of the server's or the client's kind",
        arguments: UpstreamError.Code.allCases)
    func everyCode(code: UpstreamError.Code) {
        let answer = AnswerTable.answer(for: Self.upstream(code))
        #expect((400...599).contains(answer.status))
        #expect(answer.error != nil)
    }

    @Test("no token means come back later, with the reason code in Proxy-Status", arguments: ReasonCode.allCases)
    func reasonCodes(reason: ReasonCode) {
        let answer = AnswerTable.answer(for: .noToken(reason))
        #expect(answer.retryAfter != nil)
        let status = answer.proxyStatus("waf-token-proxy")
        #expect(status == "waf-token-proxy; error=proxy_internal_response; details=\"\(reason.rawValue)\"")
    }

    @Test("text from outside cannot break out of the field or the JSON body")
    func escaping() {
        let answer = AnswerTable.answer(for: .upstream(UpstreamError(.tls, "a\"b\\c\r\nSet-Cookie: x")))
        #expect(answer.proxyStatus("p") == #"p; error=tls_protocol_error; details="a\"b\\\\c\\x0d\\x0aSet-Cookie: x""#)
        #expect(!answer.json.dropLast().contains("\n"))
    }
}

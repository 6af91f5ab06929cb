import HTTP
import Testing

/// A request that is refused, and why.
struct RefusedRequest: Sendable, CustomTestStringConvertible {
    let reason: HTTPError.Reason
    let text: String
    var limits = HeadLimits()

    var testDescription: String { "\(text.debugDescription.prefix(60)): \(reason)" }

    init(_ reason: HTTPError.Reason, _ text: String, limits: HeadLimits = HeadLimits()) {
        (self.reason, self.text, self.limits) = (reason, text, limits)
    }

    /// With a good request line and Host.
    static func fields(_ reason: HTTPError.Reason, _ fields: String) -> RefusedRequest {
        RefusedRequest(reason, "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n")
    }

    /// With this request line and a Host.
    static func line(_ reason: HTTPError.Reason, _ line: String) -> RefusedRequest {
        RefusedRequest(reason, "\(line)\r\nHost: a\r\n\r\n")
    }

    static let all: [RefusedRequest] = lines + fieldLines + hosts + framings + sizes

    static let lines: [RefusedRequest] = [
        line(.malformedStartLine, "GET"),
        line(.malformedStartLine, "GET /"),
        RefusedRequest(.malformedStartLine, "\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        line(.malformedMethod, " GET / HTTP/1.1"),
        line(.malformedMethod, "G(T / HTTP/1.1"),
        line(.malformedMethod, "GET\t/ HTTP/1.1"),
        line(.malformedMethod, "\u{16}\u{3}\u{1}"),
        RefusedRequest(.malformedMethod, "\u{16}\u{3}"),
        line(.malformedTarget, "GET  / HTTP/1.1"),
        line(.malformedTarget, "GET /\u{0} HTTP/1.1"),
        line(.malformedTarget, "GET /\u{7f} HTTP/1.1"),
        line(.malformedTarget, "GET /a\tb HTTP/1.1"),
        line(.malformedTarget, "GET * HTTP/1.1"),
        line(.malformedTarget, "GET shop.test/ HTTP/1.1"),
        line(.malformedTarget, "GET http:/shop.test/ HTTP/1.1"),
        line(.fragmentInTarget, "GET /a#b HTTP/1.1"),
        line(.fragmentInTarget, "GET http://a/#b HTTP/1.1"),
        line(.fragmentInTarget, "CONNECT a#b:443 HTTP/1.1"),
        line(.unsupportedScheme, "GET ftp://a/ HTTP/1.1"),
        line(.unsupportedScheme, "GET ws://a HTTP/1.1"),
        line(.malformedVersion, "GET / a HTTP/1.1"),
        line(.malformedVersion, "GET / HTTP/1.1 "),
        line(.malformedVersion, "GET / http/1.1"),
        line(.malformedVersion, "GET / HTTP/11"),
        line(.malformedVersion, "GET / HTTP/1.10"),
        line(.malformedVersion, "GET / "),
        line(.unsupportedVersion, "GET / HTTP/2.0"),
        line(.unsupportedVersion, "PRI * HTTP/2.0"),
        line(.unsupportedVersion, "GET / HTTP/0.9"),
        line(.controlByte, "GET / HTTP/1.1\r"),
        line(.controlByte, "GET / HTTP\r/1.1"),
        RefusedRequest(.bareLineFeed, "GET / HTTP/1.1\nHost: a\r\n\r\n"),
        RefusedRequest(.bareLineFeed, "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]

    static let fieldLines: [RefusedRequest] = [
        fields(.bareLineFeed, "A: b\nC: d"),
        fields(.bareLineFeed, "A: b\r\n\n"),
        fields(.bareLineFeed, "A: b\n"),
        fields(.controlByte, "A: b\rC: d"),
        fields(.controlByte, "A: b\r"),
        fields(.controlByte, "A: \u{0}"),
        fields(.controlByte, "A: 0123456789\u{1f}0123456789"),
        fields(.controlByte, "A: 0123456789\u{7f}"),
        fields(.controlByte, "A\u{1}: b"),
        fields(.controlByte, "A\r: b"),
        fields(.foldedField, "A: b\r\n c"),
        fields(.foldedField, "A: b\r\n\tc"),
        fields(.foldedField, "A: b\r\n \r\nC: d"),
        RefusedRequest(.foldedField, "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
        fields(.malformedFieldName, ": b"),
        fields(.malformedFieldName, "A(: b"),
        fields(.malformedFieldName, "\u{e9}: b"),
        fields(.malformedFieldName, "\"A\": b"),
        fields(.blankBeforeColon, "A : b"),
        fields(.blankBeforeColon, "A\t: b"),
        fields(.blankBeforeColon, "Content-Length : 1"),
        fields(.blankBeforeColon, "A b: c"),
        fields(.missingColon, "A"),
    ]

    static let hosts: [RefusedRequest] = [
        RefusedRequest(.missingHost, "GET / HTTP/1.1\r\n\r\n"),
        RefusedRequest(.missingHost, "CONNECT a:443 HTTP/1.1\r\n\r\n"),
        fields(.repeatedHost, "Host: a"),
        fields(.repeatedHost, "hOST: b"),
        RefusedRequest(.malformedHost, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
        RefusedRequest(.malformedHost, "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
        RefusedRequest(.malformedHost, "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"),
        RefusedRequest(.malformedHost, "GET / HTTP/1.1\r\nHost: http://a\r\n\r\n"),
        RefusedRequest(.malformedHost, "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n"),
        RefusedRequest(.malformedHost, "GET / HTTP/1.0\r\nHost: /\r\n\r\n"),
    ]

    static let framings: [RefusedRequest] = [
        fields(.repeatedContentLength, "Content-Length: 5\r\nContent-Length: 5"),
        fields(.repeatedContentLength, "Content-Length: 5\r\ncontent-length: 6"),
        fields(.malformedContentLength, "Content-Length:"),
        fields(.malformedContentLength, "Content-Length: +5"),
        fields(.malformedContentLength, "Content-Length: -5"),
        fields(.malformedContentLength, "Content-Length: 5, 5"),
        fields(.malformedContentLength, "Content-Length: 0x5"),
        fields(.malformedContentLength, "Content-Length: 5 5"),
        fields(.malformedContentLength, "Content-Length: 9223372036854775808"),
        fields(.malformedContentLength, "Content-Length: 18446744073709551617"),
        fields(.malformedContentLength, "Content-Length: 99999999999999999999999999"),
        fields(.lengthAndTransferEncoding, "Content-Length: 5\r\nTransfer-Encoding: chunked"),
        fields(.lengthAndTransferEncoding, "Transfer-Encoding: chunked\r\nContent-Length: 5"),
        fields(.unknownTransferEncoding, "Transfer-Encoding:"),
        fields(.unknownTransferEncoding, "Transfer-Encoding: gzip"),
        fields(.unknownTransferEncoding, "Transfer-Encoding: gzip, chunked"),
        fields(.unknownTransferEncoding, "Transfer-Encoding: chunked, chunked"),
        fields(.unknownTransferEncoding, "Transfer-Encoding: chunked;q=1"),
        fields(.unknownTransferEncoding, "Transfer-Encoding: \u{b}chunked").because(.controlByte),
        fields(.unknownTransferEncoding, "Transfer-Encoding: xchunked"),
        fields(.unknownTransferEncoding, "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        RefusedRequest(
            .transferEncodingInHTTP10, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
        RefusedRequest(
            .bodyNotAllowed, "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nContent-Length: 1\r\n\r\n"),
        RefusedRequest(
            .bodyNotAllowed, "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nTransfer-Encoding: chunked\r\n\r\n"),
    ]

    static let sizes: [RefusedRequest] = [
        RefusedRequest(
            .headTooLarge, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", limits: HeadLimits(headBytes: 26)),
        RefusedRequest(.headTooLarge, String(repeating: "A", count: 100), limits: HeadLimits(headBytes: 100)),
        RefusedRequest(.headTooLarge, "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", limits: HeadLimits(headBytes: 26)),
        RefusedRequest(
            .tooManyFields, "GET / HTTP/1.1\r\nHost: a\r\nB: c\r\nD: e\r\n\r\n", limits: HeadLimits(headFields: 2)),
    ]

    private func because(_ reason: HTTPError.Reason) -> RefusedRequest {
        RefusedRequest(reason, text, limits: limits)
    }
}

/// Requests that are taken.
let goodRequests: [String] = [
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET / HTTP/1.0\r\n\r\n",
    "GET / HTTP/1.7\r\nHost:\r\n\r\n",
    "GET http://127.0.0.1:8080/ HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n",
    "GET HTTP://Shop.Test?q HTTP/1.1\r\nHost: x\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\nContent-Length: 0\r\n\r\n",
    "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\n\r\nhello",
    "POST /a HTTP/1.1\r\nHost: a\r\ntransfer-ENCODING: Chunked \r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\n",
    "POST / HTTP/1.1\r\nhOsT:a:80\t\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n",
    "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: h2c, WebSocket\r\n\r\n",
    "!#$%&'*+-.^_`|~9zZ /\u{e9}|{}^\"<>\\ HTTP/1.1\r\nHost: a\r\nX: \u{80}\u{ff}\t \u{9f}end of a long value\t \r\nY:\r\n\r\n",
]

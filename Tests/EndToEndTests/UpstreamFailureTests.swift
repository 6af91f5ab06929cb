import Foundation
import Testing

/// The origin fails, or breaks the rules of HTTP.
@Suite(.timeLimit(.minutes(10)))
struct UpstreamFailureTests {
    private func expect(_ response: RawResponse, _ status: Int, _ error: String?, _ what: String) {
        #expect(response.status == status, "\(what)")
        let proxyStatus = response["proxy-status"] ?? ""
        #expect(proxyStatus.hasPrefix("waf-token-proxy; error=\(error ?? "")"), "\(what): \(proxyStatus)")
        #expect(response.content != nil, "\(what): our own answers are whole")
    }

    @Test("No connection: refused, unknown name, a certificate that is not trusted or not for this name")
    func noConnection() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(
                for: emulator, odd: odd,
                more: [
                    "upstream": [
                        "resolve": [
                            "closed.test:80": "\(try rig.closedPort())",
                            "other.test:443": "\(emulator.https)",
                        ]
                    ]
                ])
            expect(try await proxy.get("http://closed.test/"), 502, "connection_refused", "closed port")
            expect(try await proxy.get("http://no-such-name.invalid/"), 502, "dns_error", "unknown name")
            expect(try await proxy.get("https://other.test/"), 502, "tls_certificate_error", "another name")
            let distrustful = try await rig.proxy(
                source: try rig.staticSource("static-token-1"), resolve: ["shop.test:443": emulator.https])
            expect(try await distrustful.get("https://shop.test/"), 502, "tls_certificate_error", "unknown authority")
            #expect(try await emulator.requests().isEmpty)
        }
    }

    @Test("Silence is a 504 after the response-head timeout")
    func silent() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd, more: ["upstream": ["responseHeadTimeoutMsec": 500]])
            expect(try await proxy.get("http://open.test/silent"), 504, "http_response_timeout", "silent")
        }
    }

    @Test("What closes early or is no proper response head is a 502, and the client's connection goes on")
    func noResponse() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            for path in [
                "/close", "/reset", "/close-in-head", "/both-framings", "/two-lengths", "/bare-cr", "/bare-lf",
                "/space-colon", "/nul", "/nonsense",
            ] {
                let (first, second) = try await onThread {
                    let connection = try RawConnection(to: proxy.address)
                    try connection.send("GET http://open.test\(path) HTTP/1.1\r\nHost: open.test\r\n\r\n")
                    let first = try connection.receiveResponse()
                    try connection.send("GET http://open.test/head HTTP/1.1\r\nHost: open.test\r\n\r\n")
                    return (first, try connection.receiveResponse())
                }
                expect(first, 502, nil, path)
                #expect(second.status == 200, "\(path): the next request on the same connection")
            }
        }
    }

    @Test("A POST is not sent twice when the connection breaks under it")
    func noBlindResend() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            #expect(try await proxy.get("http://open.test/head").status == 200)
            let response = try await proxy.exchange(
                "POST http://open.test/close HTTP/1.1\r\nHost: open.test\r\nContent-Length: 2\r\n\r\nhi")
            expect(response, 502, nil, "POST")
            #expect(try await odd.heads("/close").count == 1)
        }
    }

    @Test(
        "A body that broke off is never ended cleanly",
        arguments: ["/short-length", "/short-chunked", "/short-chunk", "/until-reset", "/bad-chunk"])
    func brokenBody(path: String) async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let response = try await proxy.get("http://open.test\(path)")
            if path == "/bad-chunk" && response.status == 502 { return }
            #expect(response.status == 200)
            #expect(response.content == nil, "\(path): \(String(describing: response.ending)) after \(response.text)")
            #expect(response.ending != .silence, "the connection ends")
            #expect(response.body.count < 1000)
        }
    }

    @Test("A body that broke off for an HTTP/1.0 client ends in a reset, since the end would read as its end")
    func brokenBodyForHTTP10() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let response = try await proxy.exchange("GET http://open.test/short-chunked HTTP/1.0\r\n\r\n")
            #expect(response.ending == .reset)
        }
    }

    @Test("A body that ends with the connection is whole, and a folded field comes unfolded")
    func unusualButProper() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let untilClose = try await proxy.get("http://open.test/until-close")
            #expect(untilClose.content == Data(repeating: UInt8(ascii: "x"), count: 100))
            let folded = try await proxy.get("http://open.test/folded")
            #expect(folded["x-folded"] == "a b")
            #expect(folded.text == "ok")
        }
    }
}

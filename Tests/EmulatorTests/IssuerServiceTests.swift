import Testing

@testable import Emulator

@Suite(.timeLimit(.minutes(1)))
struct IssuerServiceTests {
    private func call(_ rig: Rig, _ target: String = "/token", _ body: String = "") async throws -> RawAnswer {
        try await rig.exchange(
            "POST \(target) HTTP/1.1\r\nHost: i\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)",
            to: rig.addresses.issuer)
    }

    @Test("POST /token answers a token and its life; nothing else does")
    func token() async throws {
        try await Rig.with { rig in
            let answer = try await call(rig)
            #expect(answer.status == 200)
            #expect(answer["content-type"] == "application/json")
            let body = try answer.json()
            #expect(body["token"]?.string?.hasPrefix("emulated:") == true)
            #expect(body["expiresIn"] == 300)
            #expect(try await call(rig, "/other").status == 404)
            let get = try await rig.exchange("GET /token HTTP/1.1\r\nHost: i\r\n\r\n", to: rig.addresses.issuer)
            #expect(get.status == 405)
            #expect(try await rig.control("GET", "/v1/issuer/calls")["calls"]?.elements.count == 1)
        }
    }

    @Test("A call may name the domain, in its body or its query")
    func domain() async throws {
        try await Rig.with { rig in
            let named = try await call(rig, "/token", #"{"domain":"other.test"}"#)
            let queried = try await call(rig, "/token?domain=other.test")
            for answer in [named, queried] {
                let token = try #require(try answer.json()["token"]?.string)
                #expect(
                    try await rig.request("GET", "/protected/get", ["Cookie: aws-waf-token=\(token)"]).status == 202)
            }
            #expect(try await rig.records().map { $0["reason"] } == ["TOKEN_DOMAIN_MISMATCH", "TOKEN_DOMAIN_MISMATCH"])
        }
    }

    @Test("Modes on the wire: delay, status, no token, reset, hang")
    func modes() async throws {
        try await Rig.with { rig in
            try await rig.control("PUT", "/v1/issuer", #"{"mode":"delay","delayMsec":80}"#)
            let start = ContinuousClock.now
            #expect(try await call(rig).status == 200)
            #expect(ContinuousClock.now - start >= .milliseconds(80))
            try await rig.control("PUT", "/v1/issuer", #"{"mode":"status","status":503}"#)
            #expect(try await call(rig).status == 503)
            try await rig.control("PUT", "/v1/issuer", #"{"mode":"noToken"}"#)
            #expect(try await call(rig).json() == ["expiresIn": 300])
            try await rig.control("PUT", "/v1/issuer", #"{"mode":"reset"}"#)
            let reset = await #expect(throws: RawFailure.self) { try await call(rig) }
            #expect(reset?.description == "recv: errno 104")
            try await rig.control("PUT", "/v1/issuer", #"{"mode":"hang"}"#)
            let waited = try await onThread { () -> String in
                let connection = try RawConnection(rig.addresses.issuer, timeoutSec: 1)
                try connection.send("POST /token HTTP/1.1\r\nHost: i\r\nContent-Length: 0\r\n\r\n")
                do { return try connection.receive() ? "an answer" : "an end" } catch { return "\(error)" }
            }
            #expect(waited == "recv: errno 11", "neither an answer nor an end within the second")
            let calls = try await rig.control("GET", "/v1/issuer/calls")["calls"]?.elements ?? []
            #expect(calls.map { $0["mode"] } == ["delay", "status", "noToken", "reset", "hang"])
            #expect(calls.map { $0["status"] } == [200, 503, 200, .null, .null])
        }
    }
}

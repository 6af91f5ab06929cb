import Testing

@testable import Emulator

@Suite(.timeLimit(.minutes(1)))
struct ControlServiceTests {
    @Test("Every control call works over HTTP")
    func calls() async throws {
        try await Rig.with { rig in
            #expect(try await rig.control("GET", "/v1/rules")["rules"]?.elements.first?["prefix"] == "/protected")
            #expect(
                try await rig.control("PUT", "/v1/rules", #"{"rules":[{"prefix":"/","action":"challenge"}]}"#)[
                    "immunitySec"] == 300)
            #expect(try await rig.control("PUT", "/v1/clock", #"{"offsetSec":1}"#)["offsetSec"] == 1)
            #expect(try await rig.control("PUT", "/v1/issuer", #"{"mode":"same"}"#)["mode"] == "same")
            #expect(
                try await rig.control("PUT", "/v1/schedule", #"{"schedule":[{"action":"block","every":2}]}"#)[
                    "requests"] == 0)
            let token = try #require(
                try await rig.control("POST", "/v1/tokens", #"{"state":"accepted"}"#)["token"]?.string)
            let cookie = ["Cookie: aws-waf-token=\(token)"]
            #expect(try await rig.request("GET", "/get", cookie).status == 200)
            #expect(try await rig.request("GET", "/get", cookie).status == 403)
            #expect(try await rig.records().map { $0["verdict"] } == ["accepted", "block"])
            #expect(try await rig.control("DELETE", "/v1/requests") == ["requests": []])
            #expect(try await rig.records().isEmpty)
            _ = try await rig.token()
            #expect(try await rig.control("GET", "/v1/issuer/calls")["calls"]?.elements.map { $0["mode"] } == ["same"])
            #expect(try await rig.control("POST", "/v1/sse/next") == ["released": 1])
        }
    }

    @Test("Refusals are JSON with a status, and the connection goes on")
    func refusals() async throws {
        try await Rig.with { rig in
            try await onThread {
                let connection = try RawConnection(rig.addresses.control)
                for (request, status) in [
                    ("PUT /v1/rules HTTP/1.1\r\nHost: c\r\nContent-Length: 1\r\n\r\n{", 400),
                    ("GET /nothing HTTP/1.1\r\nHost: c\r\n\r\n", 404),
                    (
                        "PUT /v1/rules HTTP/1.1\r\nHost: c\r\nContent-Length: 1048577\r\n\r\n"
                            + String(repeating: " ", count: 1_048_577), 413
                    ),
                    ("GET /v1/rules HTTP/1.1\r\nHost: c\r\n\r\n", 200),
                ] {
                    try connection.send(request)
                    let answer = try connection.answer()
                    #expect(answer.status == status)
                    #expect(try answer.json()["error"] != nil || status == 200)
                }
            }
        }
    }
}

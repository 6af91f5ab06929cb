import Testing

@testable import Emulator

/// What the protected origin answers on the wire.
@Suite(.timeLimit(.minutes(1)))
struct OriginServiceTests {
    private static let html = "Accept: text/html,*/*;q=0.8"

    @Test("Challenges and CAPTCHAs on the wire: status, fields and body as in the table")
    func interceptions() async throws {
        try await Rig.with { rig in
            for (action, status) in [("challenge", 202), ("captcha", 405)] {
                try await rig.control("PUT", "/v1/rules", #"{"rules":[{"prefix":"/","action":"\#(action)"}]}"#)
                for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
                    for accept in [[Self.html], ["Accept: */*"], []] {
                        let answer = try await rig.request(method, "/get", accept, body: method == "POST" ? "x" : nil)
                        #expect(answer.status == status)
                        #expect(answer["x-amzn-waf-action"] == action)
                        #expect(answer["cache-control"] == "no-store, max-age=0")
                        for name in ["set-cookie", "allow", "access-control-allow-origin"] {
                            #expect(answer[name] == nil)
                        }
                        let isPage = method == "GET" && accept == [Self.html]
                        #expect(answer.body.isEmpty == !isPage)
                        #expect((answer["content-length"] == "0") == !isPage)
                        #expect((answer["content-type"]?.hasPrefix("text/html") ?? false) == isPage)
                    }
                }
            }
            #expect(try await rig.records().allSatisfy { $0["reached"] == false })
        }
    }

    @Test("Blocks: 403, a custom status, a page or Cognito's JSON; never the action header")
    func blocks() async throws {
        try await Rig.with { rig in
            let rules = [
                #"{"prefix":"/a","action":"block"}"#, #"{"prefix":"/b","action":"block","status":202}"#,
                #"{"prefix":"/c","action":"block","status":405,"body":"cognito"}"#,
            ]
            try await rig.control("PUT", "/v1/rules", #"{"rules":[\#(rules.joined(separator: ","))]}"#)
            let token = try await rig.token()
            for (path, status, type) in [
                ("/a", 403, "text/html"), ("/b", 202, "text/html"), ("/c", 405, "application/x-amz-json-1.1"),
            ] {
                let answer = try await rig.request("GET", path, ["Cookie: aws-waf-token=\(token)"])
                #expect(answer.status == status)
                #expect(answer["content-type"] == type)
                #expect(answer["x-amzn-waf-action"] == nil)
                #expect(!answer.body.isEmpty)
            }
            #expect(try await rig.records().map { $0["verdict"] } == ["block", "block", "block"])
        }
    }

    @Test("An origin's own 202, 405 and 403 have nothing of the protection's")
    func ownAnswers() async throws {
        try await Rig.with { rig in
            let token = try await rig.token()
            for status in [202, 405, 403] {
                let answer = try await rig.request(
                    "GET", "/protected/status/\(status)", ["Cookie: aws-waf-token=\(token)"])
                #expect(answer.status == status)
                #expect(answer["x-amzn-waf-action"] == nil)
                #expect(answer.body.text == "status \(status)\n")
            }
            #expect(
                try await rig.records().map { [$0["verdict"], $0["status"]] } == [
                    ["accepted", 202], ["accepted", 405], ["accepted", 403],
                ])
        }
    }

    @Test("Token domains are compared with Host: port, case and absolute targets do not matter")
    func hosts() async throws {
        try await Rig.with({ $0.domains = ["example.com"] }) { rig in
            let token = try await rig.token()
            let requests = [
                ("GET /protected/get HTTP/1.1\r\nHost: api.EXAMPLE.com:8080", 200),
                ("GET /protected/get HTTP/1.1\r\nHost: apiexample.com", 202),
                ("GET /protected/get HTTP/1.1\r\nHost: example.api.com", 202),
                ("GET http://example.com/protected/get HTTP/1.1\r\nHost: other.test", 200),
                ("GET http://other.test/protected/get HTTP/1.1\r\nHost: example.com", 202),
            ]
            for (head, status) in requests {
                #expect(
                    try await rig.exchange("\(head)\r\nCookie: aws-waf-token=\(token)\r\n\r\n").status == status,
                    "\(head)")
            }
            #expect(try await rig.records()[1]["reason"] == "TOKEN_DOMAIN_MISMATCH")
        }
    }

    @Test("Time travel expires a token to the second, for the origin alone")
    func timeTravel() async throws {
        try await Rig.with { rig in
            let token = try await rig.token()
            let cookie = ["Cookie: aws-waf-token=\(token)"]
            try await rig.control("PUT", "/v1/clock", #"{"offsetSec":290}"#)
            #expect(try await rig.request("GET", "/protected/get", cookie).status == 200)
            try await rig.control("PUT", "/v1/clock", #"{"offsetSec":301}"#)
            #expect(try await rig.request("GET", "/protected/get", cookie).status == 202)
            #expect(
                try await rig.request("GET", "/protected/get", ["Cookie: aws-waf-token=\(try await rig.token())"])
                    .status == 200)
            #expect(try await rig.records().map { $0["reason"] } == [.null, "TOKEN_EXPIRED", .null])
        }
    }

    @Test("The duplicate switch decides which of two cookies counts")
    func duplicates() async throws {
        try await Rig.with { rig in
            let cookie = ["Cookie: aws-waf-token=\(try await rig.token()); aws-waf-token=nonsense"]
            for (choice, status) in [("first", 200), ("last", 202), ("invalid", 202)] {
                try await rig.control("PUT", "/v1/rules", #"{"duplicateCookie":"\#(choice)"}"#)
                #expect(try await rig.request("GET", "/protected/get", cookie).status == status)
            }
            let seen = try await rig.records()
            #expect(seen.map { $0["tokenCount"] } == [2, 2, 2])
            #expect(seen.map { $0["reason"] } == [.null, "TOKEN_INVALID", "TOKEN_INVALID"])
        }
    }

    @Test("A record knows size and hash of the body that the application read, and not one it did not read")
    func bodies() async throws {
        try await Rig.with { rig in
            let token = try await rig.token()
            let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            _ = try await rig.request("POST", "/protected/upload", ["Cookie: aws-waf-token=\(token)"], body: "abc")
            _ = try await rig.exchange(
                "POST /post HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n")
            _ = try await rig.request("POST", "/protected/upload", body: "abc")
            let seen = try await rig.records()
            #expect(seen.map { $0["bodySize"] } == [3, 3, .null])
            #expect(seen.map { $0["bodySHA256"] } == [.string(abc), .string(abc), .null])
            #expect(seen.map { $0["method"] } == ["POST", "POST", "POST"])
        }
    }
}

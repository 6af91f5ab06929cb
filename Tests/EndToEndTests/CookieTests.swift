import Foundation
import Testing

/// What the origin receives, byte for byte.
@Suite(.timeLimit(.minutes(10)))
struct CookieTests {
    static let token = "t0ken:+/=-value"

    @Test(
        "The token goes into the Cookie field and every other byte stays",
        arguments: [
            (#"Cookie: a="x; y"; aws-waf-token=old;b=  2 ;c"#, #"Cookie: aws-waf-token=\#(token); a="x; y"; b=  2 ;c"#),
            ("cOOkie: aws-waf-token=old", "cOOkie: aws-waf-token=\(token)"),
            (
                "Cookie: x-aws-waf-token=1; aws-waf-tokens=2",
                "Cookie: aws-waf-token=\(token); x-aws-waf-token=1; aws-waf-tokens=2"
            ),
            ("Cookie: a=1; aws-waf-token=2; aws-waf-token=3", "Cookie: aws-waf-token=\(token); a=1"),
        ])
    func cookies(sent: String, expected: String) async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd, token: Self.token)
            let response = try await proxy.get("http://shop.test/head", fields: sent + "\r\n")
            #expect(response.status == 200)
            let lines = response.text.components(separatedBy: "\r\n")
            #expect(lines.filter { $0.lowercased().hasPrefix("cookie:") } == [expected])
        }
    }

    @Test("All other fields keep their order, case and bytes; hop-by-hop fields go; Via comes")
    func otherFields() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let kept = [
                "hOST: open.test", "x-A: 1", "X-a:  2\t", "Empty:", "Accept: */*", "X-Bytes: \u{e9}", "Cookie: a=1",
            ]
            let gone = ["Connection: keep-alive, X-Nominated, Cookie", "X-Nominated: 1", "Proxy-Connection: close"]
            let fields = (kept + gone).joined(separator: "\r\n")
            let response = try await proxy.exchange("GET http://open.test/head HTTP/1.1\r\n\(fields)\r\n\r\n")
            var lines = response.text.components(separatedBy: "\r\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(lines.removeFirst() == "GET /head HTTP/1.1")
            lines.removeAll { $0.isEmpty }
            #expect(lines.popLast()?.hasPrefix("Via: 1.1 ") == true)
            #expect(lines == kept.map { $0.trimmingCharacters(in: .whitespaces) })
            #expect(!response.text.contains("aws-waf-token"), "open.test is not listed")
        }
    }

    @Test("Of TE only trailers goes on, with the Connection option that it needs")
    func trailersWanted() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let response = try await proxy.get(
                "http://open.test/head", fields: "Connection: TE, close\r\nTE: trailers, deflate\r\n")
            let lines = response.text.components(separatedBy: "\r\n")
            #expect(lines.filter { $0.hasPrefix("TE:") } == ["TE: trailers"])
            #expect(lines.filter { $0.hasPrefix("Connection:") } == ["Connection: TE"])
        }
    }

    @Test("A host that is not listed gets no token, whatever Host claims")
    func dialledHostDecides() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            let response = try await proxy.exchange(
                "GET http://open.test/head HTTP/1.1\r\nHost: shop.test\r\n\r\n")
            #expect(!response.text.contains("aws-waf-token"))
        }
    }
}

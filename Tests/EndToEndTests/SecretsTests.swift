import Foundation
import Testing

/// What must not be printed. (Every other test searches the outputs of its processes for tokens as well, see `Rig`.)
@Suite(.timeLimit(.minutes(10)))
struct SecretsTests {
    @Test("No token, cookie, credential or query stands in any output, not even at level trace")
    func outputs() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: emulator, odd: odd, more: ["log": ["level": "trace"]])
            for secret in ["cookie-secret-1", "bearer-secret-2", "query-secret-3", "body-secret-4", "client-token-5"] {
                rig.keepSecret(secret)
            }
            let fields =
                "Cookie: session=cookie-secret-1; aws-waf-token=client-token-5\r\nAuthorization: Bearer bearer-secret-2\r\n"
            // Through the origin's echo the test learns the token that was attached.
            let echo = try await proxy.get("http://shop.test:81/head?key=query-secret-3", fields: fields)
            let cookie = try #require(echo.text.components(separatedBy: "\r\n").first { $0.hasPrefix("Cookie:") })
            let token = cookie.dropFirst("Cookie: aws-waf-token=".count).prefix { $0 != ";" }
            #expect(token.count > 50)
            rig.keepSecret(String(token))

            #expect(try await proxy.get("http://shop.test/get", fields: fields).status == 200)
            try await emulator.advanceClock(301)
            let body = "body-secret-4"
            let post = try await proxy.exchange(
                "POST http://shop.test/post?key=query-secret-3 HTTP/1.1\r\nHost: shop.test\r\n\(fields)"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            #expect(post.status == 200)
            for path in ["/close", "/bare-cr", "/short-length", "/nonsense"] {
                _ = try? await proxy.get("http://shop.test:81\(path)?key=query-secret-3", fields: fields)
            }
            _ = try await eventually("not every request was logged") { proxy.accessLog.count >= 7 ? true : nil }
        }
    }

    @Test("A token in a header that cannot be parsed does not come back in the answer or the log")
    func malformed() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: odd)
            rig.keepSecret("client-token-6")
            let response = try await proxy.get("http://open.test/", fields: "Cookie : aws-waf-token=client-token-6\r\n")
            #expect(response.status == 400)
            #expect(!response.text.contains("client-token-6"))
        }
    }
}

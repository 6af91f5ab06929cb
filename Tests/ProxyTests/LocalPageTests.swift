import HTTP
import Telemetry
import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(2)))
struct LocalPageTests {
    @Test("clients find the page and the authority under the proxy's name; nothing of it reaches an origin")
    func page() async throws {
        let page = LocalPage(authority: Array("PEM".utf8))
        try await Rig.with({ $0.configuration.localPage = page }) { origin in
            _ = await origin.nextHead()
        } _: { rig in
            func ask(_ line: String) async throws -> String {
                try await rig.talk("\(line) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").text
            }
            let html = try await ask("GET http://WAF-token-proxy.local:80/")
            #expect(html.hasPrefix("HTTP/1.1 200 ") && html.contains("download ca.pem"))
            #expect(try await ask("GET http://waf-token-proxy.local/ca.pem").hasSuffix("\r\n\r\nPEM"))
            #expect(try await ask("GET http://waf-token-proxy.local/other").hasPrefix("HTTP/1.1 404 "))
            #expect(try await ask("POST http://waf-token-proxy.local/").hasPrefix("HTTP/1.1 405 "))
            #expect(try await ask("GET http://waf-token-proxy.local:81/").hasPrefix("HTTP/1.1 403 "))
            #expect(try await ask("CONNECT waf-token-proxy.local:443").hasPrefix("HTTP/1.1 403 "))
            #expect(rig.heads.withLock { $0.isEmpty })
        }
    }
}

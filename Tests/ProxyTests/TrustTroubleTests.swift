import Telemetry
import Testing

@testable import Proxy

@Suite struct TrustTroubleTests {
    private static let unknown = TrustTrouble.Sign.alert(StaticText("unknown_ca"))

    @Test(
        "the likely runtime and what to set",
        arguments: [
            ("curl/7.88.1", "curl", "CURL_CA_BUNDLE"), ("python-requests/2.31.0", "Python requests", "REQUESTS_CA"),
            ("Java-http-client/17.0.15", "Java", "trustStore"), ("Java/17", "Java", "trustStore"),
            ("Go-http-client/1.1", "Go", "SSL_CERT_FILE"), ("git/2.39.5", "git", "GIT_SSL_CAINFO"),
            ("Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/120", "a browser", "certutil"),
            ("pip/23.2.1 {\"ci\":true}", "pip", "PIP_CERT"), ("node", "Node.js", "NODE_EXTRA_CA_CERTS"),
            ("Wget/1.21.3", "wget", "ca_certificate"), ("", "unknown", "SSL_CERT_FILE"),
        ])
    func runtimes(userAgent: String, name: String, variable: String) {
        let runtime = ClientRuntime.guess(userAgent: userAgent)
        #expect(runtime.name == name)
        #expect(runtime.remedy.contains(variable))
    }

    @Test("a client is told of once, however often it tries and from whatever port, and its handshakes are counted")
    func once() async throws {
        let told = try await loggedLines { logger in
            let troubles = TrustTroubles(logger: logger)
            for port in 1...5 {
                troubles.saw(Self.unknown, client: "10.0.0.1:\(port)", host: "shop.test", userAgent: "curl/8")
            }
            troubles.saw(.silence, client: "10.0.0.2:9", host: "shop.test", userAgent: "")
            #expect(troubles.all.map(\.count) == [5, 1])
            #expect(troubles.all.first?.client == "10.0.0.1")
        }
        #expect(told.count == 2)
        #expect(told.first?.contains("unknown_ca") == true)
        #expect(told.first?.contains("CURL_CA_BUNDLE=bundle.pem") == true)
    }

    @Test("what is kept is bounded")
    func bounded() {
        let troubles = TrustTroubles(logger: .silent)
        for client in 0..<1000 { troubles.saw(.silence, client: "c\(client):1", host: "h", userAgent: "") }
        #expect(troubles.all.count == TrustTroubles.limit)
    }
}

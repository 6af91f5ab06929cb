import EventLoop
import HTTP
import Telemetry
import Testing
import Upstream
import WAFTokens

@testable import Proxy

@Suite struct ExplainerTests {
    /// `shop.test` on the usual ports, `safe.test` upgraded to TLS, `insecure.test` upgraded and not verified,
    /// `clear.test` allowed in clear text; `resolve` gives some of them addresses.
    private func explain(_ url: String, parent: ParentProxy? = nil) throws -> Explanation {
        var upgrading = AttachPolicy()
        upgrading.upgradeToTLS = true
        var clear = AttachPolicy()
        clear.allowPlainHTTP = true
        var path = AttachPolicy()
        path.cookiePath = Array("/web".utf8)
        let groups: [(String, AttachPolicy)] = [
            ("shop.test", AttachPolicy()), ("safe.test", upgrading), ("insecure.test", upgrading),
            ("clear.test", clear), ("path.test", path),
        ]
        let table = try HostTable(
            groups.map { (patterns: [try HostPattern($0.0)], value: Explainer.Listed(name: $0.0, policy: $0.1)) })
        var configuration = ProxyConfiguration()
        for name in ["shop.test", "clear.test"] {
            configuration.resolve[Authority(host: name, port: 80)] = Endpoint(host: "192.0.2.1", port: 80)
        }
        configuration.resolve[Authority(host: "safe.test", port: 443)] = Endpoint(host: "127.0.0.1", port: 8443)
        configuration.resolve[Authority(host: "own.test", port: 80)] = Endpoint(host: "127.0.0.1", port: 8081)
        configuration.destinations.ownListeners = [try #require(SocketAddress(ip: "127.0.0.1", port: 8081))]
        var upstream = UpstreamConfiguration()
        upstream.isInsecure = { $0.host == "insecure.test" }
        upstream.parent = { _, _ in parent }
        return try Explainer(configuration, upstream, table).explain(url)
    }

    @Test(
        "each way that a request may go has its reason",
        arguments: [
            ("http://open.test/", .forward, false, .hostNotListed),
            ("https://open.test/", .tunnel, false, .hostNotListed),
            ("http://shop.test/", .refused, false, .clearTextRefused),
            ("http://shop.test:81/", .forward, false, .portNotListed),
            ("http://SHOP.test.:80/", .refused, false, .clearTextRefused),
            ("https://shop.test/", .intercept, true, .attached), ("http://safe.test/x?y", .forward, true, .attached),
            ("https://insecure.test/", .intercept, false, .unverifiedOrigin),
            ("http://insecure.test/", .forward, false, .unverifiedOrigin),
            ("http://clear.test/", .forward, true, .attached), ("http://path.test/web/a", .forward, true, .attached),
            ("http://path.test/webx", .forward, false, .outsideCookiePath),
            ("http://169.254.169.254/", .refused, false, .destinationRefused),
            ("http://metadata.google.internal/", .refused, false, .destinationRefused),
            ("http://own.test/", .refused, false, .destinationRefused),
            ("http://127.0.0.1:8081/", .refused, false, .destinationRefused),
        ] as [(String, Explanation.Route, Bool, Explanation.Reason)])
    func reason(url: String, route: Explanation.Route, getsToken: Bool, reason: Explanation.Reason) throws {
        let explanation = try explain(url)
        #expect(explanation.route == route)
        #expect(explanation.getsToken == getsToken)
        #expect(explanation.reason == reason)
        #expect(!explanation.sentence.isEmpty)
    }

    @Test(
        "behind a parent names are judged, and clear text goes to literal private addresses alone",
        arguments: [
            ("http://path.test/web", .refused, false, .clearTextRefused),
            ("http://safe.test/", .forward, true, .attached),
            ("http://2852039166/", .refused, false, .destinationRefused),
            ("http://localhost:8081/", .refused, false, .destinationRefused),
            ("http://clear.test/", .forward, true, .attached),
        ] as [(String, Explanation.Route, Bool, Explanation.Reason)])
    func behindParent(url: String, route: Explanation.Route, getsToken: Bool, reason: Explanation.Reason) throws {
        let explanation = try explain(url, parent: ParentProxy(kind: .http, host: "p.test", port: 3128))
        #expect(explanation.route == route)
        #expect(explanation.getsToken == getsToken)
        #expect(explanation.reason == reason)
    }

    @Test("what goes out and where it is dialled are told apart")
    func dialled() throws {
        let explanation = try explain("http://safe.test/")
        #expect(explanation.target == "https://safe.test:443")
        #expect(explanation.dialled == "127.0.0.1:8443")
        #expect(explanation.provider == "safe.test")
        #expect("\(explanation)".split(separator: "\n").count == 6)
    }

    @Test("a name whose address is not known yet is explained with the rule that may still refuse it")
    func unknownAddress() throws {
        let explanation = try explain("http://path.test/web")
        #expect(explanation.getsToken && explanation.sentence.contains("clear_text_refused"))
    }

    @Test(
        "what no client may ask for is refused",
        arguments: [
            "", "shop.test", "/path", "ftp://shop.test/", "http://", "http://user@shop.test/", "http://shop.test:0/",
            "http://a/ HTTP/1.1\r\nX: y", "http://a/\u{7f}", "http://a b/", "*",
        ])
    func faults(url: String) {
        #expect(throws: Explainer.Fault.self) { try explain(url) }
    }
}

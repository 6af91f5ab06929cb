import HTTP
import Testing

@Suite("Via")
struct ViaTests {
    @Test("ours is added as the last field, with the version of the message received")
    func appended() {
        var edited = fields("Via: 1.0 fred", "X: y")
        Via.append(to: &edited, version: .http11, pseudonym: "waf-token-proxy")
        Via.append(to: &edited, version: .http10, pseudonym: "other")
        #expect(lines(of: edited) == ["Via: 1.0 fred", "X: y", "Via: 1.1 waf-token-proxy", "Via: 1.0 other"])
        #expect(Via.containsLoop(edited, pseudonym: "waf-token-proxy"))
    }

    @Test func `all values come out in their order`() {
        let values = Via.values(of: fields("Via: 1.0 a, 1.1 b", "X: y", "via: 1.1 c"))
        #expect(values.map { String(decoding: $0, as: UTF8.self) } == ["1.0 a, 1.1 b", "1.1 c"])
    }

    @Test(
        "a loop is our pseudonym as a received-by, in any element of any field",
        arguments: [
            (["Via: 1.1 waf-token-proxy"], true), (["via:1.0 fred, 1.1 WAF-Token-Proxy (x, y)"], true),
            (["Via: HTTP/1.1 waf-token-proxy"], true), (["Via: 1.0 a (b, c), 1.1 waf-token-proxy"], true),
            (["Via: 1.0 a", "Via: 1.1 \t waf-token-proxy(comment)"], true),
            (["Via: 1.0 a (unbalanced, 1.1 waf-token-proxy"], true),
            (["Via: 1.1 waf-token-proxy-2"], false), (["Via: waf-token-proxy"], false),
            (["Via: 1.1 fred (waf-token-proxy)"], false),
            (["Via: 1.1"], false), (["Via: ,,"], false), (["Via:"], false), (["X: 1.1 waf-token-proxy"], false),
            ([], false),
        ])
    func loops(lines: [String], isLoop: Bool) {
        #expect(Via.containsLoop(fields(lines), pseudonym: "waf-token-proxy") == isLoop)
    }
}

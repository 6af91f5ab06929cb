import HTTP
import Testing

@Suite("Hop-by-hop fields")
struct HopByHopTests {
    private func strip(_ lines: String..., keepingUpgrade: Bool = false) -> [String] {
        var parsed = fields(lines)
        HopByHop.strip(&parsed, keepingUpgrade: keepingUpgrade)
        return HTTPTests.lines(of: parsed)
    }

    @Test("they go, everything else stays with order, case and bytes")
    func plain() {
        let left = strip(
            "hOsT:a", "Connection: keep-alive", "Keep-Alive: timeout=5", "X-A:  1 \t", "Proxy-Connection: keep-alive",
            "TE: gzip",
            "Upgrade: h2c", "HTTP2-Settings: x", "Proxy-Authorization: Basic x", "Proxy-Authenticate: Basic", "x-a: 2",
            "Trailer: X-T",
            "Transfer-Encoding: chunked")
        #expect(left == ["hOsT:a", "X-A:  1 \t", "x-a: 2", "Trailer: X-T"])
        #expect(strip("Host: a", "Content-Length: 1", "Cookie: b") == ["Host: a", "Content-Length: 1", "Cookie: b"])
    }

    @Test("what Connection nominates goes, over several fields and whatever the case")
    func nominated() {
        let left = strip(
            "X-One: 1", "Connection: close , x-one,,\tX-TWO", "x-two: 2", "X-Three: 3", "connection: X-three",
            "X-one: 4", "X-Onet: 5")
        #expect(left == ["X-Onet: 5"])
    }

    @Test("framing, addressee, cookies and the token cannot be nominated away")
    func protected() {
        let kept = [
            "Host: a", "Cookie: b", "Content-Length: 1", "x-aws-waf-token: c", "Authorization: d", "Content-Type: e",
            "Via: 1.1 f",
            "x-amzn-waf-action: challenge", "Set-Cookie: g",
        ]
        let nominations =
            "Connection: host, cookie, content-length, transfer-encoding, x-aws-waf-token, authorization, content-type, via, "
            + "x-amzn-waf-action, set-cookie"
        var parsed = fields(kept + [nominations])
        HopByHop.strip(&parsed, keepingUpgrade: false)
        #expect(lines(of: parsed) == kept)
    }

    @Test("an upgrade to WebSocket is kept on demand, with its Connection in place; h2c never is")
    func upgrade() {
        #expect(
            strip("Connection: keep-alive, Upgrade", "Upgrade: websocket", "X: y", keepingUpgrade: true)
                == ["Connection: Upgrade", "Upgrade: websocket", "X: y"])
        #expect(
            strip("connection:upgrade", "upgrade:WebSocket", keepingUpgrade: true) == [
                "connection:upgrade", "upgrade:WebSocket",
            ])
        #expect(
            strip(
                "Upgrade: h2c, websocket", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: x", "Upgrade: x",
                keepingUpgrade: true)
                == ["Upgrade: websocket", "Connection: Upgrade"])
        #expect(strip("Upgrade: h2c", "Connection: Upgrade", keepingUpgrade: true) == [])
        #expect(strip("Upgrade: websocket", "Connection: Upgrade") == [])
    }

    @Test("TE: trailers stays with the Connection that it needs, because trailers are passed on")
    func trailers() {
        #expect(
            strip("TE: gzip, trailers", "Connection: TE, close", "X: y") == ["TE: trailers", "Connection: TE", "X: y"])
        #expect(strip("TE: trailers") == ["TE: trailers", "Connection: TE"])
        #expect(
            strip("Connection: Upgrade, TE", "TE: trailers", "Upgrade: websocket", keepingUpgrade: true)
                == ["Connection: Upgrade, TE", "TE: trailers", "Upgrade: websocket"])
    }

    @Test("a Connection of many options costs little")
    func manyOptions() {
        let options = (0..<10_000).map { "x\($0)" }.joined(separator: ",")
        #expect(strip("Connection: \(options)", "X9999: a", "X10000: b") == ["X10000: b"])
    }
}

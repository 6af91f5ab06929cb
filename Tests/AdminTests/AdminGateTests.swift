import EventLoop
import HTTP
import Telemetry
import Testing

@testable import Admin

@Suite struct AdminGateTests {
    @Test(
        "on loopback only a loopback address or localhost with our port may stand in Host",
        arguments: [
            ("127.0.0.1:8081", true), ("localhost:8081", true), ("LOCALHOST:8081", true), ("[::1]:8081", true),
            ("127.0.0.9:8081", true), ("127.0.0.1", false), ("127.0.0.1:8080", false), ("evil.test:8081", false),
            ("localhost.evil.test:8081", false), ("10.0.0.1:8081", false), ("", false), ("[::1", false),
            ("user@127.0.0.1:8081", false),
        ])
    func host(host: String, isOurs: Bool) {
        #expect((gate().refusalOfHost(request(.get, "/livez", host: host)) == nil) == isOurs)
    }

    @Test("without Host, nothing is answered")
    func noHost() {
        #expect(gate().refusalOfHost(request(.get, "/livez", host: nil))?.status == 421)
    }

    @Test(
        "beyond loopback any address may stand in Host, since ports are mapped, but no other name",
        arguments: [("10.0.0.1:80", true), ("127.0.0.1:18081", true), ("localhost", true), ("proxy.test:8081", false)])
    func hostBeyond(host: String, isOurs: Bool) {
        for ip in ["0.0.0.0", "::", "10.0.0.1"] {
            #expect((gate(ip).refusalOfHost(request(.get, "/livez", host: host)) == nil) == isOurs)
        }
    }

    @Test("beyond loopback who shows the token may use any name, on loopback nobody")
    func names() {
        let named = request(.get, "/metrics", host: "proxy.test:8081", token: "s3cret")
        #expect(gate("0.0.0.0").refusal(of: named, .read) == nil)
        #expect(gate("127.0.0.1").refusal(of: named, .read)?.status == 421)
        #expect(gate("0.0.0.0").refusalOfHost(request(.get, "/", host: "proxy.test", token: "other"))?.status == 421)
    }

    @Test(
        "on a unix socket reads are open, under localhost and a loopback address with any port",
        arguments: [
            ("localhost", true), ("127.0.0.1:1", true), ("[::1]", true), ("10.0.0.1", false), ("a.test", false),
        ])
    func unixSocket(host: String, isOurs: Bool) {
        let gate = AdminGate(address: .unix(path: "/run/a.sock"), token: Redacted(Array("s3cret".utf8)))
        #expect((gate.refusal(of: request(.get, "/", host: host), .read) == nil) == isOurs)
        #expect(gate.refusal(of: request(.get, "/", host: "localhost"), .write)?.status == 401)
    }

    @Test("reads are open on loopback alone, writes never, probes always")
    func access() {
        for (ip, isReadOpen) in [("127.0.0.1", true), ("::1", true), ("0.0.0.0", false), ("::", false)] {
            let plain = request(.get, "/", host: "\(SocketAddress(ip: ip, port: 8081)!)")
            #expect(gate(ip).refusal(of: plain, .probe) == nil)
            #expect((gate(ip).refusal(of: plain, .read) == nil) == isReadOpen)
            #expect(gate(ip).refusal(of: plain, .write)?.status == 401)
        }
    }

    @Test(
        "a write needs exactly the token",
        arguments: [
            ("Bearer s3cret", true), ("bearer s3cret", true), ("BEARER  s3cret", true), ("Bearer s3cre", false),
            ("Bearer s3cretx", false), ("Bearer S3cret", false), ("Basic s3cret", false), ("s3cret", false),
            ("Bearer ", false), ("Bearer", false), ("", false),
        ])
    func token(authorization: String, isRight: Bool) {
        var write = request(.post, "/")
        write.authorization = authorization
        #expect((gate().refusal(of: write, .write) == nil) == isRight)
    }

    @Test("an empty token lets nobody in")
    func emptyToken() {
        #expect(gate(token: "").refusal(of: request(.post, "/", token: ""), .write)?.status == 401)
    }

    @Test(
        "a body must be application/json",
        arguments: [
            ("application/json", true), ("Application/JSON; charset=utf-8", true), ("text/plain", false),
            ("application/x-www-form-urlencoded", false), ("application/jsonx", false), (nil, false),
        ] as [(String?, Bool)])
    func contentType(type: String?, isRight: Bool) {
        let write = request(.post, "/", token: "s3cret", type: type, body: "{}")
        #expect(gate().refusal(of: write, .write)?.status == (isRight ? nil : 415))
        #expect(gate().refusal(of: request(.post, "/", token: "s3cret", type: type), .write) == nil)
    }
}

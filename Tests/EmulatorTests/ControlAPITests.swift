import HTTP
import Testing

@testable import Emulator

@Suite struct ControlAPITests {
    @Test("Rules: what is named changes, null goes back to the default, the rest stays")
    func rules() {
        var rig = StateRig(rules: [Rule(prefix: "/start", action: .count)]) { $0.policy.domains = ["start.test"] }
        let set = rig.control(
            .put, "/v1/rules",
            #"{"rules":[{"prefix":"/","action":"challenge","immunitySec":5},{"prefix":"/b","action":"block","status":418,"body":"cognito"}],"immunitySec":1,"captchaImmunitySec":2,"domains":["Example.COM."],"duplicateCookie":"last"}"#
        )
        #expect(set.status == 200)
        #expect(set.body["immunitySec"] == 1)
        #expect(set.body["captchaImmunitySec"] == 2)
        #expect(set.body["domains"] == ["example.com"])
        #expect(set.body["duplicateCookie"] == "last")
        #expect(rig.control(.get, "/v1/rules").body == set.body)
        #expect(rig.receive(nil, path: "/b/x").interception == .block(status: 418, body: .cognito))
        #expect(rig.receive(rig.token("example.com", age: 5), host: "example.com").token == .accepted)
        #expect(rig.receive(rig.token("example.com", age: 6), host: "example.com").token == .expired)

        #expect(rig.control(.put, "/v1/rules", #"{"immunitySec":7}"#).body["domains"] == ["example.com"])
        let back = rig.control(.put, "/v1/rules", #"{"rules":null,"domains":null,"immunitySec":null}"#).body
        #expect(back["rules"]?.elements.first?["prefix"] == "/start")
        #expect(back["domains"] == ["start.test"])
        #expect(back["immunitySec"] == 300)
        #expect(rig.control(.put, "/v1/rules", #"{"rules":[]}"#).body["rules"] == [])
        #expect(rig.receive(nil).verdict == .allow)
    }

    @Test("Clock: set and advanced, backwards too")
    func clock() {
        var rig = StateRig()
        #expect(rig.control(.put, "/v1/clock", #"{"offsetSec":301}"#).body["offsetSec"] == 301)
        let answer = rig.control(.put, "/v1/clock", #"{"advanceSec":-1}"#).body
        #expect(answer["offsetSec"] == 300)
        #expect(answer["nowMsec"]?.integer == Int(startMsec) + 300_000)
        #expect(rig.control(.put, "/v1/clock", #"{"offsetSec":null}"#).body["offsetSec"] == 0)
    }

    @Test("Issuer: every setting comes back")
    func issuer() {
        var rig = StateRig()
        let body = rig.control(
            .put, "/v1/issuer",
            #"{"mode":"fail","delayMsec":1,"status":429,"failures":3,"expiresInSec":4,"domain":"A.test","tokenLength":500,"captchaSolved":true}"#
        ).body
        #expect(
            body == [
                "mode": "fail", "delayMsec": 1, "status": 429, "failures": 3, "expiresInSec": 4, "domain": "a.test",
                "tokenLength": 500, "captchaSolved": true,
            ])
        let back = rig.control(.put, "/v1/issuer", #"{"mode":"ok","expiresInSec":null,"domain":null}"#).body
        #expect(back["expiresInSec"] == .null)
        #expect(back["domain"] == .null)
        #expect(back["status"] == 429)
    }

    @Test("Schedule: every entry comes back, and the count of requests")
    func schedule() {
        var rig = StateRig()
        rig.control(.put, "/v1/schedule", #"{"schedule":[{"action":"captcha","from":2,"to":9,"force":true}]}"#)
        _ = rig.receive(nil)
        let body = rig.control(.put, "/v1/schedule", "{}").body
        #expect(body["requests"] == 1)
        #expect(body["schedule"] == [["action": "captcha", "every": .null, "from": 2, "to": 9, "force": true]])
        #expect(rig.control(.put, "/v1/schedule", #"{"schedule":null}"#).body["schedule"] == [])
    }

    @Test(
        "Tokens in any state",
        arguments: [
            (#"{}"#, TokenState.accepted), (#"{"state":"accepted"}"#, .accepted), (#"{"state":"expired"}"#, .expired),
            (#"{"state":"invalid"}"#, .invalid), (#"{"state":"domainMismatch"}"#, .domainMismatch),
            (#"{"state":"notSolved"}"#, .notSolved), (#"{"ageSec":300}"#, .accepted), (#"{"ageSec":301}"#, .expired),
            (#"{"ageSec":null}"#, .notSolved), (#"{"domain":"shop.test"}"#, .accepted),
            (#"{"domain":"x.test"}"#, .domainMismatch),
            (#"{"length":4096}"#, .accepted),
        ])
    func tokens(body: String, expected: TokenState) throws {
        var rig = StateRig()
        let answer = rig.control(.post, "/v1/tokens", body)
        #expect(answer.status == 201)
        let token = [UInt8](try #require(answer.body["token"]?.string))
        #expect(rig.receive(token).token == expected)
        #expect(answer.body["tokenFingerprint"]?.string == TokenFormat.fingerprint(token))
    }

    @Test("A minted CAPTCHA time is judged")
    func captchaToken() throws {
        var rig = StateRig(rules: [Rule(prefix: "/", action: .captcha)])
        for (age, verdict) in [(300, Decision.Verdict.accepted), (301, .captcha)] {
            let token = rig.control(.post, "/v1/tokens", #"{"captchaAgeSec":\#(age)}"#).body["token"]?.string
            #expect(rig.receive([UInt8](try #require(token))).verdict == verdict)
        }
    }

    @Test("Requests: records with verdict, reason, status and fingerprint; never the token itself")
    func requests() throws {
        var rig = StateRig()
        let token = rig.token(age: 301)
        _ = rig.receive(token)
        _ = rig.receive(nil)
        let records = rig.control(.get, "/v1/requests").body["requests"]?.elements ?? []
        #expect(records.map { $0["number"] } == [1, 2])
        #expect(records.map { $0["verdict"] } == ["challenge", "challenge"])
        #expect(records.map { $0["reason"] } == ["TOKEN_EXPIRED", "TOKEN_MISSING"])
        #expect(records.map { $0["status"] } == [202, 202])
        #expect(records.map { $0["reached"] } == [false, false])
        #expect(records.map { $0["bodySize"] } == [.null, .null])
        #expect(records[0]["tokenFingerprint"]?.string == TokenFormat.fingerprint(token))
        #expect(records[1]["tokenFingerprint"] == .null)
        #expect(!records[0].bytes.text.contains("emulated:"))
        #expect(rig.control(.get, "/v1/requests?after=1").body["requests"]?.elements.count == 1)
        #expect(rig.control(.delete, "/v1/requests").body == ["requests": []])
        #expect(rig.control(.get, "/v1/requests").body == ["requests": []])
        #expect(rig.control(.get, "/v1/requests?before=1").status == 400)
        #expect(rig.control(.get, "/v1/requests?after=x").status == 400)
    }

    @Test("Issuer calls: number, time, mode, status")
    func issuerCalls() throws {
        var rig = StateRig()
        _ = rig.state.issue(domain: nil, wallMsec: rig.wallMsec)
        rig.wallMsec += 5
        rig.control(.put, "/v1/clock", #"{"offsetSec":60}"#)
        _ = rig.state.issue(domain: nil, wallMsec: rig.wallMsec)
        let calls = rig.control(.get, "/v1/issuer/calls").body["calls"]?.elements ?? []
        #expect(calls.map { $0["number"] } == [1, 2])
        #expect(calls.map { $0["timeMsec"]?.integer } == [Int(startMsec), Int(startMsec) + 60_005])
        #expect(calls.map { $0["wallMsec"]?.integer } == [Int(startMsec), Int(startMsec) + 5])
        #expect(calls.map { $0["mode"] } == ["ok", "ok"])
        #expect(calls.map { $0["status"] } == [200, 200])
        #expect(rig.control(.get, "/v1/issuer/calls?after=1").body["calls"]?.elements.count == 1)
    }

    @Test("Releasing an event counts, and tells whoever waits")
    func sse() {
        var rig = StateRig()
        let answer = ControlAPI.answer(.post, "/v1/sse/next", Span(), state: &rig.state, wallMsec: 0)
        #expect(answer == ControlAnswer(body: ["released": 1], releasesEvent: true))
        #expect(rig.control(.post, "/v1/sse/next", "{}").body == ["released": 2])
    }

    @Test(
        "What is wrong is refused and changes nothing",
        arguments: [
            (HTTP.Method.put, "/v1/rules", #"{"rule":[]}"#), (.put, "/v1/rules", #"{"rules":{}}"#),
            (.put, "/v1/rules", "[]"),
            (.put, "/v1/rules", "{"), (.put, "/v1/rules", #"{"rules":[{"prefix":"/"}]}"#),
            (.put, "/v1/rules", #"{"rules":[{"action":"allow"}]}"#),
            (.put, "/v1/rules", #"{"rules":[{"prefix":"x","action":"allow"}]}"#),
            (.put, "/v1/rules", #"{"rules":[{"prefix":"/","action":"deny"}]}"#),
            (.put, "/v1/rules", #"{"rules":[{"prefix":"/","action":"block","status":99}]}"#),
            (.put, "/v1/rules", #"{"immunitySec":5,"captchaImmunitySec":-1}"#),
            (.put, "/v1/rules", #"{"immunitySec":"5"}"#),
            (.put, "/v1/rules", #"{"immunitySec":1.5}"#), (.put, "/v1/rules", #"{"domains":"x"}"#),
            (.put, "/v1/rules", #"{"domains":[1]}"#),
            (.put, "/v1/rules", #"{"domains":[".x"]}"#), (.put, "/v1/rules", #"{"duplicateCookie":"both"}"#),
            (.put, "/v1/clock", #"{"offset":1}"#), (.put, "/v1/clock", #"{"offsetSec":99999999999}"#),
            (.put, "/v1/issuer", #"{"mode":"slow"}"#), (.put, "/v1/issuer", #"{"status":101}"#),
            (.put, "/v1/issuer", #"{"tokenLength":10}"#),
            (.put, "/v1/issuer", #"{"captchaSolved":1}"#), (.put, "/v1/schedule", #"{"schedule":[{"every":5}]}"#),
            (.put, "/v1/schedule", #"{"schedule":[{"action":"block","every":0}]}"#),
            (.put, "/v1/schedule", #"{"expireNow":1}"#),
            (.post, "/v1/tokens", #"{"state":"good"}"#), (.post, "/v1/tokens", #"{"length":5000}"#),
            (.post, "/v1/tokens", #"{"ageSec":-1}"#),
        ])
    func refused(method: HTTP.Method, target: String, body: String) {
        var rig = StateRig()
        let before = [rig.state.rulesJSON, rig.state.issuerJSON, rig.state.scheduleJSON, rig.state.clockJSON(0)]
        let answer = rig.control(method, target, body)
        #expect(answer.status == 400)
        #expect(answer.body["error"]?.string?.isEmpty == false)
        #expect([rig.state.rulesJSON, rig.state.issuerJSON, rig.state.scheduleJSON, rig.state.clockJSON(0)] == before)
    }

    @Test(
        "Other paths and methods do not exist",
        arguments: [
            (HTTP.Method.get, "/"), (.post, "/v1/rules"), (.get, "/v1/clock"), (.get, "/v1/tokens"),
            (.get, "/v1/rules/"), (.put, "/v1/requests"),
        ])
    func unknown(method: HTTP.Method, target: String) {
        var rig = StateRig()
        #expect(rig.control(method, target).status == 404)
    }
}

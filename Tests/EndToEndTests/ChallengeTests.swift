import Foundation
import Testing

/// Challenge, newer token, one replay.
@Suite(.timeLimit(.minutes(10)))
struct ChallengeTests {
    /// Sends many requests at once; counts by status, and how many answers were right.
    private func burst(
        _ rig: Rig, _ proxy: RunningProxy, _ url: String, _ count: Int, _ more: [String] = []
    ) async throws -> JSON {
        let result = try await rig.run(
            Places.python, [Places.support("burst_client.py"), "\(proxy.address)", url, "\(count)"] + more,
            within: .seconds(90))
        #expect(result.status == .exited(0), "\(result.errors)")
        return JSON(parsing: String(decoding: result.output, as: UTF8.self)) ?? .null
    }

    @Test("1,000 requests challenged at once: one call to the issuer, each replayed once, none lost")
    func stampede() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(
                for: emulator,
                provider: ["source": ["timeoutMsec": 60000], "whenNoToken": ["mode": "hold", "holdMsec": 60000]])
            #expect(try await proxy.get("http://shop.test/get").status == 200)
            let calls = try await emulator.issuerCalls()
            // Expired for the origin from now on; the issuer takes its time, so that all of them meet the challenge.
            try await emulator.advanceClock(301)
            try await emulator.setIssuer("delay", ["delayMsec": .number(Double(3000 * Places.patience))])
            let answer = try await burst(rig, proxy, "http://shop.test/get", 1000)
            #expect(answer["statuses"] == ["200": 1000])
            #expect(try await emulator.issuerCalls() == calls + 1)
            #expect(try await emulator.requests(verdict: "challenge").count == 1000)
            #expect(try await emulator.requests(verdict: "accepted").count == 1001)
        }
    }

    @Test("Challenged bodies arrive whole and once, with a length and chunked", arguments: [[], ["--chunked"]])
    func bodies(more: [String]) async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            #expect(try await proxy.get("http://shop.test/get").status == 200)
            try await emulator.advanceClock(301)
            let answer = try await burst(rig, proxy, "http://shop.test/upload", 20, ["--body", "100000"] + more)
            #expect(answer["statuses"] == ["200": 20])
            #expect(answer["right"] == 20)
            #expect(try await emulator.requests(verdict: "accepted").count == 21)
        }
    }

    @Test("A body over the replay bound goes through; its challenge is passed on with the reason")
    func bodyOverTheBound() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator, more: ["challenge": ["replayBufferBytes": 65536]])
            #expect(try await proxy.get("http://shop.test/get").status == 200)
            try await emulator.advanceClock(301)
            let body = String(repeating: "x", count: 200_000)
            let request =
                "POST http://shop.test/upload HTTP/1.1\r\nHost: shop.test\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            let calls = try await emulator.issuerCalls()
            let response = try await proxy.exchange(request)
            #expect(response.status == 202)
            #expect(response["x-amzn-waf-action"] == "challenge")
            #expect(response["proxy-status"]?.contains("replay_body_too_large") == true)
            // It could not be sent again, but it told that the token is used up.
            while try await emulator.issuerCalls() == calls { try await Task.sleep(for: .milliseconds(20)) }
            _ = try await proxy.get("http://shop.test/get")
            #expect(try await proxy.exchange(request).status == 200)
        }
    }

    @Test("Challenged again after the replay: the challenge is passed on, and nothing loops")
    func challengedAgain() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            try await emulator.setIssuer("corrupt")
            let proxy = try await rig.proxy(for: emulator)
            let response = try await proxy.get("http://shop.test/get")
            #expect(response.status == 202)
            #expect(response["x-amzn-waf-action"] == "challenge")
            #expect(response["proxy-status"]?.contains("challenged_again") == true)
            #expect(try await emulator.requests().count == 2)
        }
    }

    @Test("CAPTCHA and block are passed on and cause no refresh", arguments: [("captcha", 405), ("block", 403)])
    func passedOn(action: String, status: Int) async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            #expect(try await proxy.get("http://shop.test/get").status == 200)
            let calls = try await emulator.issuerCalls()
            try await emulator.setRules([("/", action)])
            if action == "captcha" { try await emulator.advanceClock(301) }
            let response = try await proxy.get("http://shop.test/get")
            #expect(response.status == status)
            #expect(try await emulator.issuerCalls() == calls)
        }
    }

    @Test("An origin's own 202 and 405 pass untouched", arguments: [("/own-202", 202), ("/own-405", 405)])
    func ownAnswers(path: String, status: Int) async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(for: emulator, odd: odd)
            let response = try await proxy.get("http://shop.test:81\(path)")
            #expect(response.status == status)
            #expect(response.text == (status == 202 ? "ok" : "no"))
            #expect(try await odd.heads(path).count == 1)
            #expect(try await emulator.issuerCalls() == 1)
        }
    }
}

import Foundation
import Testing

/// The source of tokens fails.
@Suite(.timeLimit(.minutes(10)))
struct IssuerFailureTests {
    static let hold: JSON = ["whenNoToken": ["mode": "hold", "holdMsec": 700]]

    private func expectHeldThenRefused(_ proxy: RunningProxy, _ reasons: [String]) async throws {
        let start = ContinuousClock.now
        let response = try await proxy.get("http://shop.test/get")
        let took = ContinuousClock.now - start
        #expect(response.status == 503)
        #expect(Int(response["retry-after"] ?? "") ?? 0 >= 1)
        let details = response["proxy-status"] ?? ""
        #expect(details.contains("error=proxy_internal_response"), "\(details)")
        #expect(reasons.contains { details.contains("details=\"\($0)") }, "\(details)")
        #expect(took >= .milliseconds(650) && took < .seconds(30), "held for \(took)")
    }

    @Test(
        "Held, then 503 with Retry-After and the reason; by itself well again",
        arguments: [
            ("status", ["source_failed"]), ("reset", ["source_failed"]), ("noToken", ["source_failed"]),
            ("hang", ["source_timeout", "hold_timeout"]), ("delay", ["source_timeout", "hold_timeout"]),
        ])
    func failing(mode: String, reasons: [String]) async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            try await emulator.setIssuer(mode, ["status": 500, "delayMsec": 20000])
            let proxy = try await rig.proxy(for: emulator, provider: Self.hold)
            try await expectHeldThenRefused(proxy, reasons)
            #expect(try await emulator.requests().isEmpty, "nothing reached the origin")
            try await emulator.setIssuer("ok")
            _ = try await eventually("it did not recover") {
                try await proxy.get("http://shop.test/get").status == 200 ? true : nil
            }
        }
    }

    @Test("No issuer at all")
    func refused() async throws {
        try await Rig.with { rig in
            let source: JSON = ["type": "http", "url": "http://\(try rig.closedPort())/token"]
            let odd = try await rig.oddOrigin()
            let proxy = try await rig.proxy(source: source, resolve: ["shop.test:80": odd.http], provider: Self.hold)
            try await expectHeldThenRefused(proxy, ["source_failed"])
            #expect(try await odd.heads().isEmpty)
        }
    }

    @Test("A token that has expired is never sent")
    func expired() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            try await emulator.setRules([("/", "count")])
            try await emulator.setIssuer("ok", ["expiresInSec": 2])
            let short: JSON = ["immunityTimeSec": 2, "tokenRefreshDelaySec": 1]
            let proxy = try await rig.proxy(for: emulator, provider: Self.hold.merging(short))
            #expect(try await proxy.get("http://shop.test/get").status == 200)
            try await emulator.setIssuer("status", ["status": 500])
            try await Task.sleep(for: .milliseconds(2500))
            let response = try await proxy.get("http://shop.test/get")
            #expect(response.status == 503)
            #expect(try await emulator.requests().count == 1)
        }
    }

    @Test("`closed` refuses at once, `open` forwards without a token")
    func modes() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            try await emulator.setIssuer("status", ["status": 500])
            let closed = try await rig.proxy(for: emulator, provider: ["whenNoToken": ["mode": "closed"]])
            #expect(try await closed.get("http://shop.test/get").status == 503)
            #expect(try await emulator.requests().isEmpty)
            let open = try await rig.proxy(for: emulator, provider: ["whenNoToken": ["mode": "open", "holdMsec": 500]])
            let response = try await open.get("http://shop.test/get")
            #expect(response.status == 202)
            #expect(try await emulator.requests().first?["reason"].string == "TOKEN_MISSING")
        }
    }
}

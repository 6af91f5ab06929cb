import Foundation
import Testing

/// Origins whose certificate is refused, or not looked at, get no token; what is wrong is said.
@Suite(.timeLimit(.minutes(10)))
struct OriginCertificateTests {
    private func proxy(
        _ rig: Rig, _ emulator: Emulator, _ upstream: JSON = [:], provider: JSON = [:]
    ) async throws -> RunningProxy {
        try await rig.proxy(
            source: try rig.staticSource("static-token-77aa"),
            resolve: ["shop.test:443": emulator.https, "other.test:443": emulator.https],
            provider: JSON.object(["hosts": ["shop.test:*", "other.test:*"]]).merging(provider),
            more: ["upstream": upstream, "explain": true])
    }

    @Test func `a certificate that is not trusted, or for another name, is a 502 that says so, and nothing was sent`()
        async throws
    {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let strict = try await proxy(rig, emulator)
            let unknown = try await strict.get("https://shop.test/")
            #expect(unknown.status == 502)
            let reason = unknown["proxy-status"] ?? ""
            #expect(reason.hasPrefix("waf-token-proxy; error=tls_certificate_error; details=\"The "), "\(reason)")
            #expect(reason.contains("not trusted (--upstream-ca-file)"), "\(reason)")
            let trusting = try await proxy(rig, emulator, ["caFile": .string(emulator.caFile)])
            let other = try await trusting.get("https://other.test/")
            #expect(other.status == 502)
            #expect(
                other["proxy-status"]?.contains("The certificate is not for other.test but for") == true,
                "\(other.fields)")
            #expect(try await emulator.requests().isEmpty)
        }
    }

    @Test func `insecureHosts lets a request through without a token, unless allowInsecureToken says otherwise`()
        async throws
    {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            try await emulator.setRules([("/", "allow")])
            let careful = try await proxy(rig, emulator, ["insecureHosts": ["shop.test"]])
            let bare = try await careful.get("https://shop.test/headers")
            #expect(bare.status == 200, "\(bare.fields)")
            #expect(bare["x-waf-token-proxy"] == "token=none; replay=0")
            #expect(!String(decoding: bare.content ?? Data(), as: UTF8.self).contains("static-token-77aa"))
            let careless = try await proxy(
                rig, emulator, ["insecureHosts": ["shop.test"]], provider: ["allowInsecureToken": true])
            let full = try await careless.get("https://shop.test/headers")
            #expect(full["x-waf-token-proxy"]?.hasPrefix("token=attached; replay=0") == true, "\(full.fields)")
            #expect(String(decoding: full.content ?? Data(), as: UTF8.self).contains("static-token-77aa"))
        }
    }
}

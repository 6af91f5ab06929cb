import Foundation
import Testing

/// HTTP clients of several languages, each told of the proxy in its ordinary way, and of nothing else.
@Suite(.timeLimit(.minutes(10)))
struct ClientMatrixTests {
    struct Answer {
        let status: Int?
        let body: JSON
    }

    /// Spaces, quotes, separators and escapes that a careless hand would tidy up.
    static let cookie = #"session="x y"; empty=;  b=%20 2 ;c; d==+/"#

    private static func run(_ words: [String], _ rig: Rig, _ proxy: RunningProxy) async throws -> Answer {
        // Java and Go compile first.
        let result = try await rig.run(
            words[0], Array(words.dropFirst()),
            environment: proxy.environment.merging(ProxiedClient.environment(rig)) { $1 },
            within: .seconds(240))
        #expect(result.status == .exited(0), "\(words[0]): \(result.errors)")
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n", maxSplits: 1)
        return Answer(
            status: lines.first.flatMap { Int($0) }, body: lines.last.flatMap { JSON(parsing: $0) } ?? .null)
    }

    /// The origin saw a challenge and then the same request with the newest token; the client's cookie came unchanged.
    private func expectReplayed(_ answer: Answer, scheme: String, _ emulator: Emulator) async throws {
        #expect(answer.status == 200)
        let field = answer.body["fields"].elements.first?.string ?? ""
        #expect(answer.body["fields"].elements.count == 1)
        #expect(field.hasPrefix("aws-waf-token=\(Rig.emulatedPrefix)"))
        let own = field.range(of: "; ").map { String(field[$0.upperBound...]) }
        #expect(own == Self.cookie)

        let seen = try await emulator.requests()
        #expect(seen.map { $0["verdict"].string } == ["challenge", "accepted"])
        #expect(seen.map { $0["reason"].string } == ["TOKEN_EXPIRED", nil])
        let newest = try await emulator.call("GET", "/v1/issuer/calls")["calls"].elements.last ?? .null
        let request = seen.last ?? .null
        #expect(request["tokenFingerprint"].string?.count == 8)
        #expect(request["tokenFingerprint"] == newest["tokenFingerprint"])
        #expect(request["tokenCount"].integer == 1)
        #expect(request["method"].string == "GET")
        #expect(request["scheme"].string == scheme)
        #expect(request["host"].string == "shop.test")
        #expect(request["target"].string == "/protected/cookies?q=1")
    }

    /// A token was fetched and has expired since; the origin's record is empty.
    private func expired(_ emulator: Emulator, _ proxy: RunningProxy) async throws {
        #expect(try await proxy.get("http://shop.test/get").status == 200)
        try await emulator.call("PUT", "/v1/schedule", ["expireNow": true])
        try await emulator.call("DELETE", "/v1/requests")
    }

    @Test(
        "Each client gets the page of a host that challenges, with its own cookie as it sent it",
        arguments: ProxiedClient.plain)
    func challenged(client: ProxiedClient) async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            try await expired(emulator, proxy)
            let words = client.words("http://shop.test/protected/cookies?q=1", cookie: Self.cookie)
            let answer = try await Self.run(words, rig, proxy)
            try await expectReplayed(answer, scheme: "http", emulator)
        }
    }

    @Test("Python's http.client with an https URL as its request target")
    func absoluteFormHTTPS() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            try await expired(emulator, proxy)
            let words = [Places.python, Places.support("proxied_get.py"), "http.client"]
            let answer = try await Self.run(
                words + ["https://shop.test/protected/cookies?q=1", Self.cookie], rig, proxy)
            try await expectReplayed(answer, scheme: "https", emulator)
        }
    }
}

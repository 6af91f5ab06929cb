import Foundation
import Testing

/// Clients that people use, with nothing set but the proxy variables.
@Suite(.timeLimit(.minutes(10)))
struct ClientToolsTests {
    /// Each command prints the body of the page it is asked for.
    enum Tool: String, CaseIterable {
        case curl, wget, requests

        func get(_ url: String, _ rig: Rig, _ proxy: RunningProxy) async throws -> String {
            let result =
                switch self {
                case .curl:
                    try await rig.run("curl", ["-sS", "--fail", url], environment: proxy.environment)
                case .wget:
                    try await rig.run("wget", ["-q", "-O", "-", "--tries=1", url], environment: proxy.environment)
                case .requests:
                    try await rig.run(
                        Places.python, [Places.support("requests_client.py"), url], environment: proxy.environment)
                }
            #expect(result.status == .exited(0), "\(result.errors)")
            let text = String(decoding: result.output, as: UTF8.self)
            return self == .requests ? JSON(parsing: text)?["body"].string ?? text : text
        }
    }

    @Test("A client gets through with a token it knows nothing of", arguments: Tool.allCases)
    func tokenAttached(tool: Tool) async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            let body = try await tool.get("http://shop.test/get", rig, proxy)
            #expect(JSON(parsing: body) != nil, "the application's answer: \(body)")
            let seen = try await emulator.requests()
            #expect(seen.map { $0["verdict"].string } == ["accepted"])
        }
    }

    @Test("A challenge is answered with a newer token, and the client sees the application", arguments: Tool.allCases)
    func challengeReplayed(tool: Tool) async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            _ = try await tool.get("http://shop.test/get", rig, proxy)
            let calls = try await emulator.issuerCalls()
            try await emulator.advanceClock(301)
            let body = try await tool.get("http://shop.test/get?again", rig, proxy)
            #expect(JSON(parsing: body) != nil, "the application's answer: \(body)")
            let seen = try await emulator.requests()
            #expect(seen.map { $0["verdict"].string } == ["accepted", "challenge", "accepted"])
            #expect(seen.dropFirst().first?["reason"].string == "TOKEN_EXPIRED")
            #expect(try await emulator.issuerCalls() == calls + 1)
            let line = try await eventually("no access line") {
                proxy.accessLog.count == 2 ? proxy.accessLog.last : nil
            }
            #expect(line["replays"].integer == 1)
            #expect(line["path"].string == "/get", "the query stays out of the log")
        }
    }

    @Test("https in absolute form reaches the origin over verified TLS, with the token")
    func absoluteFormHTTPS() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            let response = try await proxy.get("https://shop.test/get")
            #expect(response.status == 200)
            #expect(try await emulator.requests(verdict: "accepted").count == 1)
        }
    }

    @Test("64 MiB arrive byte for byte, down and up, also through an intercepted tunnel", arguments: ["http", "https"])
    func largeBodies(scheme: String) async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let proxy = try await rig.proxy(for: emulator)
            let size = 64 << 20
            let url = "\(scheme)://shop.test/bytes/\(size)"
            let direct = scheme == "http" ? "shop.test:80:\(emulator.http)" : "shop.test:443:\(emulator.https)"
            let trusted = scheme == "http" ? [] : ["--cacert", try await rig.trustedFile()]
            try await emulator.setRules([("/bytes/", "allow"), ("/", "challenge")])

            let expected = try await rig.run(
                "curl",
                [
                    "-sS", "--fail", "--cacert", emulator.caFile, "--connect-to", direct, "-o", rig.folder + "/direct",
                    url,
                ])
            #expect(expected.status == .exited(0), "\(expected.errors)")
            let down = try await rig.run(
                "curl", trusted + ["-sS", "--fail", "-o", rig.folder + "/down", url], environment: proxy.environment,
                within: .seconds(60))
            #expect(down.status == .exited(0), "\(down.errors)")
            let sums = try await sums(rig, ["direct", "down"])
            #expect(sums[0] == sums[1])

            let up = try await rig.run(
                "curl", trusted + ["-sS", "--fail", "-T", rig.folder + "/down", "\(scheme)://shop.test/upload"],
                environment: proxy.environment, within: .seconds(60))
            #expect(up.status == .exited(0), "\(up.errors)")
            let answer = JSON(parsing: String(decoding: up.output, as: UTF8.self)) ?? .null
            #expect(answer["size"].integer == size)
            #expect(answer["sha256"].string == sums[0])
        }
    }

    private func sums(_ rig: Rig, _ names: [String]) async throws -> [String] {
        let result = try await rig.run("sha256sum", names.map { rig.folder + "/" + $0 })
        return String(decoding: result.output, as: UTF8.self).split(separator: "\n").map { String($0.prefix(64)) }
    }
}

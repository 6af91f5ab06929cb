import Foundation
import Testing

/// `access.proxyUsersFile` with real clients.
@Suite(.timeLimit(.minutes(10)))
struct ProxyUsersTests {
    private static let password = "corr:ect-horse-4711"

    /// A proxy for `ann`, whose hash openssl made.
    private func proxy(_ rig: Rig, _ odd: OddOrigin) async throws -> RunningProxy {
        rig.keepSecret(Self.password)
        let made = try await rig.run("/usr/bin/openssl", ["passwd", "-6", Self.password])
        let hash = String(decoding: made.output, as: UTF8.self).trimmingCharacters(in: .newlines)
        rig.keepSecret(hash)
        rig.keepSecret(Data("ann:\(Self.password)".utf8).base64EncodedString())
        let file = try rig.write("ann:\(hash)\n", to: "users")
        return try await rig.proxy(for: odd, more: ["access": ["proxyUsersFile": .string(file)]])
    }

    private func curl(_ rig: Rig, _ proxy: RunningProxy, _ arguments: [String]) async throws -> String {
        let result = try await rig.run(
            "/usr/bin/curl",
            ["-sS", "-o", "/dev/null", "-w", "%{http_code} %{http_connect}", "-x", "http://\(proxy.address)"]
                + arguments)
        return String(decoding: result.output, as: UTF8.self)
    }

    @Test("the right user is served, in plain requests and tunnels; others get 407; the origin sees no credential")
    func curl() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await proxy(rig, odd)
            let user = ["-U", "ann:\(Self.password)"]
            #expect(try await curl(rig, proxy, user + ["http://open.test/x"]) == "200 000")
            #expect(try await curl(rig, proxy, ["http://open.test/x"]) == "407 000")
            #expect(try await curl(rig, proxy, ["-U", "ann:wrong", "http://open.test/x"]) == "407 000")
            #expect(try await curl(rig, proxy, user + ["-p", "http://open.test/x"]) == "200 200")
            #expect(try await curl(rig, proxy, ["-p", "http://open.test/x"]).hasSuffix(" 407"))
            #expect(try await curl(rig, proxy, user + ["--proxy-anyauth", "http://open.test/x"]) == "200 000")
            #expect(!odd.headsSoFar.contains { $0.lowercased().contains("proxy-authorization") })
        }
    }

    @Test("users that change with a reload hold from the next request on")
    func reload() async throws {
        try await Rig.with { rig in
            let odd = try await rig.oddOrigin()
            let proxy = try await proxy(rig, odd)
            let user = ["-U", "ann:\(Self.password)", "http://open.test/x"]
            #expect(try await curl(rig, proxy, user) == "200 000")
            let users = try String(contentsOfFile: "\(rig.folder)/users", encoding: .utf8)
            try rig.write(users.replacingOccurrences(of: "ann:", with: "bob:"), to: "users")
            proxy.process.send(signal: SIGHUP)
            _ = try await eventually("ann is still served") {
                try await curl(rig, proxy, user) == "407 000" ? true : nil
            }
            #expect(try await curl(rig, proxy, ["-U", "bob:\(Self.password)", "http://open.test/x"]) == "200 000")
        }
    }
}

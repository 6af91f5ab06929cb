import Foundation
import Testing

/// `/metrics` of a real proxy.
@Suite(.timeLimit(.minutes(10)))
struct MetricsTests {
    /// Every sample: its name with labels, and its value.
    private func samples(_ desk: AdminDesk) async throws -> [String: Double] {
        let answer = try await desk.read("/metrics")
        #expect(answer.status == 200)
        #expect(answer["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        var samples: [String: Double] = [:]
        for line in answer.text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            samples[String(parts[0].dropFirst("waf_token_proxy_".count))] = parts.count == 2 ? Double(parts[1]) : nil
        }
        return samples
    }

    @Test("promtool finds no fault with what the proxy writes, and no client can add a line")
    func promtool() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let odd = try await rig.oddOrigin()
            let desk = try await AdminDesk(rig, try await rig.proxy(for: emulator, odd: odd))
            _ = try await desk.proxy.get("http://shop.test/get")
            let before = try await samples(desk).keys.sorted()
            for url in ["http://open.test/x\"y", "http://made-up-1.test/", "http://shop.test:81/nope"] {
                _ = try? await desk.proxy.get(url, fields: "User-Agent: made-up-2\r\n")
            }
            _ = try? await desk.proxy.exchange("MADEUP http://open.test/ HTTP/1.1\r\nHost: open.test\r\n\r\n")
            let page = try await desk.read("/metrics").text
            #expect(try await samples(desk).keys.sorted() == before)
            #expect(!page.contains("made-up") && !page.contains("MADEUP"))
            let file = try rig.write(page, to: "metrics")
            let checked = try await rig.run("/bin/sh", ["-c", "promtool check metrics <'\(file)'"])
            #expect(checked.status == .exited(0), "\(checked.errors)")
            #expect(checked.errors.isEmpty && checked.output.isEmpty, "\(checked.errors)")
        }
    }

    @Test(
        "the dashboard and the alert rules name only metrics, labels and values that the proxy writes",
        arguments: ["grafana/waf-token-proxy.json", "prometheus/alerts.yml"])
    func shipped(file: String) async throws {
        let text = try String(contentsOfFile: "\(Places.root)/docker/\(file)", encoding: .utf8)
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let desk = try await AdminDesk(rig, try await rig.proxy(for: emulator))
            #expect(try await desk.command(["ready", "--wait", "10"]).status == .exited(0))
            let found = try await samples(desk).keys
            let families = Set(found.map { String($0.prefix { $0 != "{" }) })
            let named = Set(text.matches(of: /waf_token_proxy_([a-z_]+)/).map { String($0.1) })
            #expect(named.count >= 5 && named.subtracting(families).isEmpty, "\(named.subtracting(families))")
            // {state=~"a|b"}: values that are not there would never match.
            for match in text.matches(of: /(state|outcome|code_class|verdict|trouble|kind)=~?\\?"([a-z0-9_|]+)\\?"/) {
                for value in match.2.split(separator: "|") {
                    let label = "\(match.1)=\"\(value)\""
                    #expect(found.contains { $0.contains(label) }, "\(label)")
                }
            }
        }
    }

    @Test("a challenged request, its replay, tunnels and refused requests are counted")
    func counting() async throws {
        try await Rig.with { rig in
            let emulator = try await rig.emulator()
            let odd = try await rig.oddOrigin()
            let desk = try await AdminDesk(rig, try await rig.proxy(for: emulator, odd: odd))
            let proxy = desk.proxy
            #expect(try await proxy.get("http://shop.test/protected/get").status == 200)
            try await emulator.advanceClock(301)
            #expect(try await proxy.get("http://shop.test/protected/get").status == 200)
            #expect(try await proxy.get("http://169.254.169.254/").status == 403)
            _ = try await eventually("not every request was logged") { proxy.accessLog.count >= 3 ? true : nil }
            let found = try await samples(desk)
            #expect(found["requests_total{provider=\"shop\",verdict=\"none\",code_class=\"2xx\"}"] == 2)
            #expect(found["requests_total{provider=\"none\",verdict=\"none\",code_class=\"4xx\"}"] == 1)
            #expect(found["challenges_total{provider=\"shop\",outcome=\"resolved\"}"] == 1)
            #expect(found["replays_total{outcome=\"resolved\"}"] == 1)
            #expect(found["tokens_attached_total"] == 2)
            #expect(found["request_duration_seconds_count"] == 3)
            #expect(try #require(found["token_fetches_total{provider=\"shop\",outcome=\"new\"}"]) >= 2)
            #expect(found["token_state{provider=\"shop\",state=\"fresh\"}"] == 1)
            #expect(try #require(found["token_age_seconds{provider=\"shop\"}"]) >= 0)
            #expect(found["connections{kind=\"admin\"}"] == 1 && found["log_lines_dropped_total"] == 0)
        }
    }
}

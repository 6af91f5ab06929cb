import Proxy
import Telemetry
import Testing
import WAFTokens

@testable import Admin

@Suite struct MetricsDocumentTests {
    /// Every name that operators may rely on, in the order of the document.
    private static let names = [
        "requests_total", "request_duration_seconds", "challenges_total", "replays_total", "tokens_attached_total",
        "token_age_seconds", "token_expires_in_seconds", "token_state", "held_requests", "token_fetches_total",
        "token_fetch_duration_seconds", "connections", "tunnels", "leaf_certificates_total",
        "client_tls_failures_total", "replay_buffer_bytes", "log_lines_dropped_total", "uptime_seconds", "build_info",
    ]

    private func document(_ body: (ProxyMetrics) -> Void = { _ in }) async throws -> [String] {
        let provider = try WAFTokenProvider(
            WAFConfiguration(domainName: "shop.test"), source: CountingSource(), name: "shop",
            environment: stillWorld())
        _ = await provider.refresh(within: .seconds(60))
        let metrics = ProxyMetrics(shards: 2)
        _ = metrics.provider(named: "shop")
        body(metrics)
        let document = MetricsDocument(
            version: "1.2.3", uptime: .milliseconds(1500), metrics: metrics,
            counters: .init(connections: 3, tunnels: 2, replayBufferBytes: 17), providers: [await provider.status()],
            adminConnections: 1, droppedLogLines: 4)
        return String(decoding: document.text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("every name of the contract stands there once, with its help and type, from the start")
    func names() async throws {
        let types = try await document().filter { $0.hasPrefix("# TYPE ") }
        #expect(types.map { String($0.split(separator: " ")[2]) } == Self.names.map { "waf_token_proxy_\($0)" })
    }

    @Test("what is counted and what is held stand in it")
    func values() async throws {
        let lines = try await document { metrics in
            metrics.leafCertificates.add(5)
            metrics.clientTLS.count(.untrusted)
        }
        for line in [
            "requests_total{provider=\"none\",verdict=\"none\",code_class=\"2xx\"} 0",
            "requests_total{provider=\"shop\",verdict=\"challenge\",code_class=\"5xx\"} 0",
            "challenges_total{provider=\"shop\",outcome=\"hold_timeout\"} 0", "replays_total{outcome=\"resolved\"} 0",
            "token_state{provider=\"shop\",state=\"fresh\"} 1", "token_state{provider=\"shop\",state=\"failing\"} 0",
            "token_fetches_total{provider=\"shop\",outcome=\"new\"} 1", "held_requests 0",
            "connections{kind=\"client\"} 3", "connections{kind=\"admin\"} 1", "tunnels 2", "leaf_certificates_total 5",
            "client_tls_failures_total{trouble=\"untrusted\"} 1", "replay_buffer_bytes 17",
            "log_lines_dropped_total 4", "uptime_seconds 1.5", "build_info{version=\"1.2.3\"} 1",
        ] {
            #expect(lines.contains("waf_token_proxy_\(line)"), "\(line)")
        }
    }
}

import Telemetry
import Testing
import WAFTokens

@testable import Proxy

@Suite struct ProxyMetricsTests {
    @Test("a provider's numbers go on across a reload, and stand in the order in which they were asked for")
    func providers() {
        let metrics = ProxyMetrics(shards: 2)
        let shop = metrics.provider(named: "shop")
        _ = metrics.provider(named: "bank")
        #expect(metrics.provider(named: "shop") === shop)
        #expect(metrics.all.map(\.name) == ["none", "shop", "bank"])
    }

    @Test("a finished request counts once for its provider, with what became of its challenge")
    func requests() {
        let metrics = ProxyMetrics(shards: 2)
        let shop = metrics.provider(named: "shop")
        metrics.count(
            ProxyMetrics.Finished(
                provider: shop, verdict: nil, status: 204, challenge: .resolved, replays: 1, carriedToken: true,
                microseconds: 700), shard: 1)
        metrics.count(
            ProxyMetrics.Finished(
                provider: shop, verdict: .challenge, status: 202, challenge: .unresolved(.holdTimeout), replays: 0,
                carriedToken: true, microseconds: 800), shard: 0)
        metrics.count(ProxyMetrics.Finished(provider: nil, status: 502, microseconds: nil), shard: 0)
        #expect(shop.requests(nil, .successful) == 1 && shop.requests(.challenge, .successful) == 1)
        #expect(metrics.unlisted.requests(nil, .serverError) == 1)
        #expect(shop.challenges(.resolved) == 1 && shop.challenges(.unresolved(.holdTimeout)) == 1)
        #expect(metrics.replays(.resolved) == 1 && metrics.replays(.failed) == 0)
        #expect(metrics.tokensAttached == 2)
        #expect(metrics.duration.reading.count == 2)
    }

    @Test("a fetch of a token is timed whether it succeeds or fails")
    func fetches() {
        let shop = ProxyMetrics().provider(named: "shop")
        shop.note(.fetchStarted)
        shop.note(.fetchSucceeded(took: .milliseconds(20), isNew: true, fingerprint: "00000000"))
        shop.note(.fetchFailed(took: .seconds(2), error: .internalError, detail: "", retryIn: nil))
        let reading = shop.fetchDuration.reading
        #expect(reading.count == 2 && reading.sum == 2_020_000)
    }

    @Test("through a real proxy: plain, challenged and refused requests are counted, tunnels without their time")
    func proxied() async throws {
        try await Rig.with { wishes in
            wishes.policy = AttachPolicy()
        } origin: { connection in
            var isFirst = true
            while await connection.nextHead() != nil {
                connection.send(isFirst ? challenge : answer())
                isFirst = false
            }
        } _: { rig in
            let answer = try await rig.talk(rig.head("GET", "/", "Connection: close"))
            #expect(answer.text.hasPrefix("HTTP/1.1 200 "))
            _ = try await rig.talk("GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nConnection: close\r\n\r\n")
            _ = try await rig.talk("nonsense\r\n\r\n")
            let metrics = rig.server.metrics
            // The rig gives its provider no numbers of its own.
            #expect(metrics.unlisted.requests(nil, .successful) == 1)
            #expect(metrics.unlisted.requests(nil, .serverError) == 1)
            #expect(metrics.unlisted.requests(nil, .clientError) == 1)
            #expect(metrics.unlisted.challenges(.resolved) == 1 && metrics.replays(.resolved) == 1)
            #expect(metrics.tokensAttached == 1)
            #expect(metrics.duration.reading.count == 3)
        }
    }
}

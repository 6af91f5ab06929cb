internal import Proxy
internal import Telemetry
internal import WAFTokens

/// `GET /metrics`. Pure.
struct MetricsDocument {
    var version: String
    /// Seconds since the start.
    var uptime: Duration
    var metrics: ProxyMetrics
    var counters: ProxyServer.Counters
    var providers: [ProviderStatus]
    var adminConnections: Int
    var droppedLogLines: Int

    /// The whole page; every family is there from the start, with zeros where nothing has happened.
    var text: [UInt8] {
        var text = MetricsText(prefix: "waf_token_proxy_")
        writeRequests(into: &text)
        writeTokens(into: &text)
        writeFetches(into: &text)
        writeProxy(into: &text)
        return text.bytes
    }

    private func writeRequests(into text: inout MetricsText) {
        let all = metrics.all
        text.family(
            "requests_total", .counter,
            "Requests that ended, by provider (none: host not listed), verdict of the answer and class of the status.")
        for provider in all {
            for verdict in [nil] + Verdict.allCases.map(Optional.some) {
                for status in StatusClass.allCases {
                    let label = verdict.map { "\($0.label)" } ?? "none"
                    text.sample(
                        provider.requests(verdict, status),
                        [("provider", provider.name), ("verdict", label), ("code_class", status.label)])
                }
            }
        }
        text.family(
            "request_duration_seconds", .histogram,
            "First byte of a request to last byte of its answer; without tunnels and switched connections.")
        text.sample(metrics.duration.reading)
        text.family("challenges_total", .counter, "Challenged requests, by what became of them.")
        for provider in all.dropFirst() {
            for outcome in ChallengeOutcome.allCases {
                text.sample(
                    provider.challenges(outcome), [("provider", provider.name), ("outcome", outcome.label)])
            }
        }
        text.family("replays_total", .counter, "Requests sent again with a newer token, by how that ended.")
        for outcome in ProxyMetrics.ReplayOutcome.allCases {
            text.sample(metrics.replays(outcome), [("outcome", outcome.label)])
        }
        text.family("tokens_attached_total", .counter, "Requests that went out with a token.")
        text.sample(metrics.tokensAttached)
    }

    private func writeTokens(into text: inout MetricsText) {
        text.family("token_age_seconds", .gauge, "Time since the token that is held was acquired.")
        for status in providers {
            if let token = status.token { text.sample(seconds: token.age, [("provider", status.name)]) }
        }
        text.family("token_expires_in_seconds", .gauge, "Time until the token expires, negative afterwards.")
        for status in providers {
            if let left = status.token?.expiresIn { text.sample(seconds: left, [("provider", status.name)]) }
        }
        text.family("token_state", .gauge, "1 for the state that the provider is in, 0 for the others.")
        for status in providers {
            for state in ProviderStatus.State.allCases {
                text.sample(
                    state == status.state ? 1 : 0, [("provider", status.name), ("state", state.rawValue)])
            }
        }
        text.family("held_requests", .gauge, "Requests that wait for a token.")
        text.sample(providers.reduce(0) { $0 + $1.waiting })
    }

    private func writeFetches(into text: inout MetricsText) {
        text.family("token_fetches_total", .counter, "Calls of the token source, by how they ended.")
        for status in providers {
            for outcome in FetchRecord.Outcome.allCases {
                text.sample(
                    status.fetches[outcome] ?? 0, [("provider", status.name), ("outcome", outcome.rawValue)])
            }
        }
        text.family("token_fetch_duration_seconds", .histogram, "How long calls of the token source took.")
        for provider in metrics.all.dropFirst() {
            text.sample(provider.fetchDuration.reading, [("provider", provider.name)])
        }
    }

    private func writeProxy(into text: inout MetricsText) {
        text.family("connections", .gauge, "Open connections, by who connected.")
        text.sample(counters.connections, [("kind", "client")])
        text.sample(adminConnections, [("kind", "admin")])
        text.family("tunnels", .gauge, "Open tunnels.")
        text.sample(counters.tunnels)
        text.family("leaf_certificates_total", .counter, "Certificates made for intercepted hosts.")
        text.sample(metrics.leafCertificates.value)
        text.family("client_tls_failures_total", .counter, "TLS handshakes of clients that failed, by the trouble.")
        for trouble in ClientTLSMetrics.Trouble.allCases {
            text.sample(metrics.clientTLS.value(trouble), [("trouble", trouble.label)])
        }
        text.family("replay_buffer_bytes", .gauge, "Request bodies that are kept for a replay.")
        text.sample(counters.replayBufferBytes)
        text.family("log_lines_dropped_total", .counter, "Log lines that could not be written.")
        text.sample(droppedLogLines)
        text.family("uptime_seconds", .gauge, "Time since the start.")
        text.sample(seconds: uptime)
        text.family("build_info", .gauge, "1, with the version.")
        text.sample(1, [("version", version)])
    }
}

internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream
internal import WAFTokens

/// Phase *log*: runs for every request, whatever became of it.
extension RequestContext {
    /// Copies what the log says of the request before *rewrite* changes it.
    func describeRequest() {
        guard isDescribed else { return }
        head.describe(in: &record)
    }

    func log(started: Duration) {
        record.durationMicroseconds = (EventLoop.preciseNow - started).wholeMicroseconds
        let sentToken = sentToken
        countRequest(carriedToken: sentToken != nil)
        guard isDescribed else { return }
        record.bytesIn = max(record.bytesIn, pump?.bytesRead ?? 0)
        record.token = sentToken?.fingerprint
        if record.error == nil { record.error = note?.rawValue }
        let now = WallClock.now()
        if isLogged { worker.logger.access(record, at: now) }
        if worker.keepsFlows { keepFlow(token: sentToken, at: now) }
    }

    private func countRequest(carriedToken: Bool) {
        let isPipe = head.method == .connect || record.status == 101
        worker.shared.metrics.count(
            ProxyMetrics.Finished(
                provider: route?.provider?.metrics, verdict: record.verdict, status: record.status,
                challenge: ChallengeOutcome.of(verdict: record.verdict, reason: note, replays: record.replays),
                replays: record.replays, carriedToken: carriedToken,
                microseconds: isPipe ? nil : record.durationMicroseconds),
            shard: worker.index)
    }

    /// Hands what operators may see to the ring, and takes the buffers of a request that it lets go.
    private func keepFlow(token: WAFToken?, at now: WallClock) {
        swap(&flow.record, &record)
        flow.provider = route?.provider?.provider.name
        flow.ended = now
        head.fields.describe(in: &flow.requestFields)
        // An answer of our own has no fields that anybody has to see.
        if let exchange, exchange.head.status == flow.record.status {
            exchange.head.fields.describe(in: &flow.responseFields)
        }
        keepBodies(token: token)
        worker.shared.flows.exchange(&flow)
        flow.reset()
    }
}

extension RequestContext {
    /// The token with which a request has gone out on a connection: before that nobody has seen it.
    private var sentToken: WAFToken? {
        guard case .token(let snapshot) = attachment, let exchange, exchange.hasGoneOut else { return nil }
        return snapshot.token
    }
}

extension RequestHead {
    fileprivate func describe(in record: inout AccessRecord) {
        record.setMethod(methodBytes.span)
        // The target of a CONNECT is the authority, which the log shows as host and port.
        if method != .connect { record.setPath(pathBytes) }
    }
}

extension Fields {
    /// Copies the lines; of those that are known to be secret the name alone.
    fileprivate func describe(in flow: inout FlowFields) {
        flow.replace { lines in
            for index in 0..<count {
                switch known(index) {
                case .cookie, .setCookie, .authorization, .proxyAuthorization, .proxyAuthenticate,
                    .proxyAuthenticationInfo, .xAwsWafToken, .secWebSocketKey:
                    lines.append(name(index))
                default: lines.append(line(index))
                }
            }
        }
    }
}

extension Duration {
    /// Rounded down, never negative.
    var wholeMicroseconds: UInt64 {
        let (seconds, attoseconds) = components
        return seconds < 0 ? 0 : UInt64(seconds) * 1_000_000 + UInt64(max(attoseconds, 0) / 1_000_000_000_000)
    }
}

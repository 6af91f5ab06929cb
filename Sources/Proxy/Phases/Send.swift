internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream
internal import WAFTokens

/// Phase *send*: one attempt on the upstream client; the body streams beside it and a bounded copy is kept.
extension RequestContext {
    /// What goes out. The head's own buffers move into it; *rewrite* has finished with them.
    func makeOutbound(for route: Route) -> OutboundRequest {
        var target: [UInt8] = []
        head.writeOriginForm(into: &target)
        var request = OutboundRequest(
            scheme: route.scheme, authority: route.authority, method: head.method, methodBytes: head.methodBytes,
            target: target, fields: head.fields, framing: head.framing)
        request.upgrade = head.upgradesToWebSocket
        request.requiresPrivatePeer = carriesSecretInClear(route)
        request.refusesLoopback = !connection.isFromLoopback
        return request
    }

    /// Starts reading the body, if there is one, before the first attempt.
    func startBody() {
        guard head.framing.hasBody, !head.upgradesToWebSocket else { return }
        let pump = RequestBodyPump(
            stream: connection.stream, framing: head.framing, copy: makeCopy(),
            silenceLimit: configuration.idleClientTimeout, sampleLimit: worker.shared.flows.bodyBytes)
        self.pump = pump
        pump.start(on: worker.loop)
    }

    /// A copy is worth its memory only where a challenge could be answered with a replay.
    private func makeCopy() -> ReplayBuffer? {
        guard isJudged, configuration.maxReplays > 0, canKeepBody else { return nil }
        return ReplayBuffer(limit: configuration.replayBufferBytes, budget: worker.shared.replayBudget)
    }

    /// One attempt. The client's reset ends it; interim answers go to the client as they come.
    func send(_ request: borrowing OutboundRequest) -> Exchange {
        let relaysInterim = head.version == .http11
        let exchange = rules.lease.client.start(
            request,
            onInterim: relaysInterim ? { [unowned self] interim in relay(interim: interim) } : nil)
        connection.current = exchange
        if connection.stream.isAtEnd { exchange.limitSilence(to: configuration.halfCloseTimeout) }
        pump?.attach(exchange)
        return exchange
    }

    private func relay(interim: ResponseHead) {
        guard !hasAnswered else { return }
        var interim = interim
        HopByHop.strip(&interim.fields, keepingUpgrade: false)
        worker.outgoing.removeAll(keepingCapacity: true)
        HeadWriter.write(response: interim, into: &worker.outgoing)
        connection.stream.send(worker.outgoing)
    }

    /// Why the upstream did not answer, as the client is told. A body that the client spoilt is the client's fault.
    func refusal(for error: UpstreamError) -> Refusal {
        switch pump?.outcome {
        case .malformed(let fault): .malformedRequest(fault)
        case .clientGone: .clientGone
        case .whole, .stopped, nil: error.code == .cancelled ? .clientGone : .upstream(error)
        }
    }
}

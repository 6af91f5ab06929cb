internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream

/// CONNECT as a blind tunnel (RFC 9110 §9.3.6), and a connection that was switched to WebSocket (RFC 9110 §7.8).
extension RequestContext {
    func tunnel(to target: Authority) async -> ClientConnection.Fate {
        worker.shared.hints.tunnelled(target, among: rules.providers, configuration.resolve)
        guard worker.shared.tunnels.enter(limit: configuration.maxTunnels) else { return await answer(.tooManyTunnels) }
        defer { worker.shared.tunnels.leave() }
        switch await dial(target) {
        case .failure(let error):
            return await answer(error.refusal)
        case .success(let server):
            defer { server.close() }
            record.status = 200
            connection.stream.send(Self.established)
            return await passOn(between: connection.stream, and: server)
        }
    }

    /// A tunnel whose client was told that it stands before anything was dialled.
    func tunnelAfterAnswer(to target: Authority) async -> ClientConnection.Fate {
        guard worker.shared.tunnels.enter(limit: configuration.maxTunnels) else {
            record.error = "connection_limit_reached"
            return .abort
        }
        defer { worker.shared.tunnels.leave() }
        switch await dial(target) {
        case .failure(let error):
            record.error = AnswerTable.answer(for: error.refusal).error?.description
            return .abort
        case .success(let server):
            defer { server.close() }
            return await passOn(between: connection.stream, and: server)
        }
    }

    static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)

    func passOnUpgrade(_ exchange: Exchange) async -> ClientConnection.Fate {
        HopByHop.strip(&exchange.head.fields, keepingUpgrade: true)
        addOurFields(to: &exchange.head.fields, answeredIn: exchange.head.version)
        worker.outgoing.removeAll(keepingCapacity: true)
        HeadWriter.write(response: exchange.head, into: &worker.outgoing)
        connection.stream.send(worker.outgoing)
        return await passOn(between: connection.stream, and: exchange)
    }

    private func passOn(between client: Stream, and server: some PipeEnd) async -> ClientConnection.Fate {
        hasAnswered = true
        let state = PipeState(now: worker.loop.now)
        let limits = PipeLimits(idle: configuration.tunnelIdleTimeout, halfClosed: configuration.halfCloseTimeout)
        await Pipe(client: client, server: server, loop: worker.loop, limits: limits, state: state).run()
        record.bytesIn = state.bytesUp
        record.bytesOut = state.bytesDown
        return client.isBroken ? .abort : .close
    }
}

extension Exchange: PipeEnd {
    func receiveMore() async throws(PipeBroken) -> Bool {
        do throws(UpstreamError) { return try await receive() } catch { throw PipeBroken() }
    }

    func send(_ bytes: Span<UInt8>) { sendBody(bytes) }

    func drainedForMore() async throws(PipeBroken) {
        do throws(UpstreamError) { try await bodyDrained() } catch { throw PipeBroken() }
    }

    func endSending() async throws(PipeBroken) { finishBody(trailers: nil) }

    func abort() { cancel() }
}

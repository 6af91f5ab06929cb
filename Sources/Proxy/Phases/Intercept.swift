internal import EventLoop
internal import HTTP
internal import TLS
internal import Telemetry
internal import Upstream
internal import WAFTokens

/// CONNECT to a listed host: the tunnel ends here, and the requests inside go through the same phases as plain ones.
extension RequestContext {
    /// The tunnels that are read: those to listed hosts.
    func interceptor(for target: Authority) -> Interceptor? {
        guard let interceptor = configuration.interceptor,
            rules.providers.lookUp(host: target.host, port: target.port) != nil
        else { return nil }
        return interceptor
    }

    /// Answers 200 without dialling, then does as the client's first bytes want.
    func intercept(_ target: Authority, with interceptor: Interceptor) async -> ClientConnection.Fate {
        let verdict = configuration.destinations.judge(target)
        guard verdict == .allowed else { return await answer(.destinationProhibited(verdict)) }
        record.status = 200
        hasAnswered = true
        connection.stream.send(Self.established)
        switch await readOpening() {
        case .undecided:
            return .close
        case .http:
            connection.enter(TunnelInside(authority: target, scheme: .http))
            return .keep
        case .other:
            return await tunnelAfterAnswer(to: target)
        case .tls(let hello):
            if let name = hello.serverName, !target.isNamed(name) {
                record.error = "unrecognized_name"
                connection.stream.send(TLSAlert.unrecognizedName.record)
                worker.shared.hints.otherServerName(target, asked: name)
                return .close
            }
            return await handshake(for: target, with: interceptor)
        case .unreadableTLS:
            return await handshake(for: target, with: interceptor)
        }
    }

    /// `undecided`: the client said nothing that could be told apart, and left or fell silent. A protocol that waits for
    /// more than it said is not HTTP, and no TLS client does so.
    private func readOpening() async -> TunnelOpening {
        let stream = connection.stream
        let started = worker.loop.now
        while true {
            let opening = TunnelOpening.judge(stream.inbound)
            if opening != .undecided { return opening }
            do throws(StreamError) {
                let left = configuration.headTimeout - (worker.loop.now - started)
                guard left > .zero, try await stream.receive(within: left) else {
                    return stream.hasUnreadBytes ? .other : .undecided
                }
            } catch {
                return error == .timedOut && stream.hasUnreadBytes ? .other : .undecided
            }
        }
    }

    private func handshake(for target: Authority, with interceptor: Interceptor) async -> ClientConnection.Fate {
        let stream = connection.stream
        do throws(TLSError) {
            let session = try TLSSession(
                context: interceptor.context, identity: try interceptor.identity(target.host), name: target.host)
            if let sign = try await complete(session) {
                record.error = "tls_handshake_failed"
                troubled(sign, at: target)
                return .abort
            }
            stream.attach(TLSFilter(session))
            connection.enter(TunnelInside(authority: target, scheme: .https))
            return .keep
        } catch {
            record.error = "tls_handshake_failed"
            switch error.code {
            case .library, .malformedInput:
                worker.logger.error(
                    "no certificate could be made for an intercepted host",
                    [("host", .string(target.host)), ("error", .string(error.description))])
                return .abort
            case .handshake, .certificate, .record, .truncated, .notOpen:
                troubled(TrustTrouble.Sign(error), at: target)
                return .close  // after the alert
            }
        }
    }

    /// Runs the handshake to its end: nil. Otherwise the client left, or said nothing more, before it was over.
    private func complete(_ session: TLSSession) async throws(TLSError) -> TrustTrouble.Sign? {
        let stream = connection.stream
        let started = worker.loop.now
        while true {
            if try session.handshake(over: stream) == .done { return nil }
            do throws(StreamError) {
                let left = configuration.headTimeout - (worker.loop.now - started)
                guard left > .zero else { return .timeout }
                guard try await stream.receive(within: left) else { return .silence }
            } catch {
                return error == .timedOut ? .timeout : .silence
            }
        }
    }

    private func troubled(_ sign: TrustTrouble.Sign, at target: Authority) {
        worker.shared.metrics.clientTLS.count(sign.counted, shard: worker.index)
        worker.shared.trust.saw(sign, client: connection.clientAddress, host: target.host, userAgent: head.userAgent)
    }
}

extension Authority {
    /// Whether a client that dialled this authority may ask for `serverName` (RFC 6066 §3: no trailing dot, any case).
    fileprivate func isNamed(_ serverName: String) -> Bool {
        let bytes = Array(serverName.utf8)
        do throws(HTTPError) { return try Authority(parsing: bytes.span, defaultPort: port) == self } catch {
            return false
        }
    }
}

extension RequestHead {
    /// The first `User-Agent`, cut to 120 bytes.
    fileprivate var userAgent: String {
        guard let index = fields.index(of: .userAgent) else { return "" }
        return fields.value(index).withUnsafeBufferPointer { String(decoding: $0.prefix(120), as: UTF8.self) }
    }
}

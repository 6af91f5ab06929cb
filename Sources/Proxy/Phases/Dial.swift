internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream

/// The far end of a tunnel: a connection to its target, directly or through a parent.
extension RequestContext {
    /// A connection to the target, all of it within the connect timeout; given up when the client resets its own.
    func dial(_ target: Authority) async -> Result<Stream, RefusalError> {
        let limit = DialLimit(loop: worker.loop, limit: configuration.connectTimeout)
        connection.dialling = limit
        defer { connection.dialling = nil }
        let result =
            if let parent = rules.lease.client.configuration.parent(.https, target) {
                await dial(target, through: parent, limit)
            } else {
                await dial(target, limit)
            }
        guard limit.ending == .abandoned else { return result }
        if case .success(let server) = result { server.close() }
        return .failure(RefusalError(.clientGone))
    }

    private func dial(
        _ target: Authority, through parent: ParentProxy, _ limit: DialLimit
    ) async -> Result<Stream, RefusalError> {
        let endpoint = configuration.resolve[target].map { Authority(host: $0.host, port: $0.port) } ?? target
        let verdict = configuration.destinations.judge(
            behindParent: endpoint, for: target, clientIsLoopback: connection.isFromLoopback)
        guard verdict == .allowed else { return .failure(RefusalError(.destinationProhibited(verdict))) }
        do throws(UpstreamError) {
            return .success(
                try await rules.lease.client.openTunnel(
                    to: endpoint, through: parent, via: viaForParent, within: limit))
        } catch {
            return .failure(RefusalError(.upstream(error)))
        }
    }

    /// What the client's CONNECT has passed, and us.
    private var viaForParent: [[UInt8]] {
        Via.values(of: head.fields) + [
            Array("\(head.version == .http11 ? "1.1" : "1.0") \(configuration.viaName)".utf8)
        ]
    }

    /// The shell of `ConnectMachine`: does what it says, tells it what happened.
    private func dial(_ target: Authority, _ limit: DialLimit) async -> Result<Stream, RefusalError> {
        let endpoint = configuration.resolve[target] ?? Endpoint(host: target.host, port: target.port)
        var machine = ConnectMachine(
            target: target, rules: configuration.destinations, clientIsLoopback: connection.isFromLoopback)
        var action = machine.start(endpoint: (endpoint.host, endpoint.port))
        var server: Stream?
        while true {
            switch action {
            case .resolve(let host, let port):
                let addresses = await limit.resolve(host: host, port: port)
                action = addresses.map { machine.resolved($0) } ?? machine.lookUpTimedOut()
            case .dial(let address):
                do throws(StreamError) {
                    server = try await limit.connect(to: address)
                    action = machine.dialled(.success(()))
                } catch {
                    action = machine.dialled(.failure(error))
                }
            case .refuse(let refusal):
                return .failure(RefusalError(refusal))
            case .establish:
                guard let server else { preconditionFailure("established without a connection") }
                return .success(server)
            }
        }
    }
}

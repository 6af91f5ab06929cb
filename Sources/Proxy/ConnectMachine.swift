internal import EventLoop
internal import HTTP

/// What a CONNECT does, step by step, without I/O: judge the name, look it up, dial one allowed address after the
/// other, answer. Events go in, one action comes out.
///
/// Interception becomes one more action of `start`; everything after it is the blind tunnel's.
struct ConnectMachine: ~Copyable {
    enum Action {
        case resolve(host: String, port: UInt16)
        case dial(SocketAddress)
        /// Answer 200 and pass bytes on.
        case establish
        case refuse(Refusal)
    }

    private enum State {
        case idle
        case resolving
        /// With the addresses that are still to be tried.
        case dialling([SocketAddress])
        case finished
    }

    private var state = State.idle
    private let target: Authority
    private let rules: DestinationRules
    private let clientIsLoopback: Bool

    init(target: Authority, rules: DestinationRules, clientIsLoopback: Bool) {
        self.target = target
        self.rules = rules
        self.clientIsLoopback = clientIsLoopback
    }

    /// `endpoint` is where the tunnel really goes: the target, or what `upstream.resolve` says in its place.
    mutating func start(endpoint: (host: String, port: UInt16)) -> Action {
        guard case .idle = state else { preconditionFailure("a tunnel is started once") }
        let verdict = rules.judge(target)
        guard verdict == .allowed else { return finish(.destinationProhibited(verdict)) }
        state = .resolving
        return .resolve(host: endpoint.host, port: endpoint.port)
    }

    mutating func resolved(_ result: Result<[SocketAddress], ResolveError>) -> Action {
        guard case .resolving = state else { preconditionFailure("an answer to a look-up that nobody asked for") }
        switch result {
        case .failure(let error):
            return finish(.nameNotFound(error))
        case .success(let addresses):
            var refused = DestinationRules.Verdict.denied
            let reachable = addresses.filter {
                let verdict = rules.judge($0, for: target, clientIsLoopback: clientIsLoopback)
                if verdict != .allowed { refused = verdict }
                return verdict == .allowed
            }
            return dialNext(of: reachable, otherwise: .destinationProhibited(refused))
        }
    }

    /// The look-up took too long.
    mutating func lookUpTimedOut() -> Action { finish(.dialFailed(.timedOut)) }

    mutating func dialled(_ result: Result<Void, StreamError>) -> Action {
        guard case .dialling(let rest) = state else { preconditionFailure("nothing was dialled") }
        switch result {
        case .success:
            state = .finished
            return .establish
        case .failure(let error):
            return dialNext(of: rest, otherwise: .dialFailed(error))
        }
    }

    private mutating func dialNext(of addresses: [SocketAddress], otherwise refusal: Refusal) -> Action {
        guard let next = addresses.first else { return finish(refusal) }
        state = .dialling(Array(addresses.dropFirst()))
        return .dial(next)
    }

    private mutating func finish(_ refusal: Refusal) -> Action {
        state = .finished
        return .refuse(refusal)
    }
}

internal import HTTP
internal import Telemetry
internal import WAFTokens

/// Where a request goes. Judged on the authority that is dialled, never on the `Host` that a client claims.
struct Route {
    /// Scheme and authority as the client wrote them, by which the next request finds the same route again.
    let asked: (scheme: Scheme, authority: [UInt8])
    /// What is dialled; another scheme than the client's where the provider upgrades to TLS.
    let scheme: Scheme
    let authority: Authority
    /// The provider whose token belongs there; nil for a host that nobody listed.
    let provider: ProxyProvider?
    /// What goes out as `Host` (RFC 9112 §3.2.2): the target's authority as the client wrote it, without the port where
    /// another one is dialled for TLS.
    let host: [UInt8]
}

enum Destination {
    case forward(Route)
    case tunnel(Authority)
}

/// Phase *route*.
extension RequestContext {
    func findRoute() throws(RefusalError) -> Destination {
        if Via.containsLoop(head.fields, pseudonym: configuration.viaName) { throw RefusalError(.loop) }
        if let inside = connection.inside { return .forward(try route(in: inside)) }
        switch head.target {
        case .absolute(let scheme, let range, _):
            let target = head.targetBytes
            return .forward(try route(scheme, target.span.extracting(range)))
        case .authority:
            let written = head.targetBytes
            let target = try Authority(refusing: written.span, defaultPort: nil)
            record.host = target.host
            record.port = target.port
            return .tunnel(target)
        case .origin, .asterisk:
            throw RefusalError(.notAProxyRequest)
        }
    }

    /// Inside a tunnel that we read, every request is for the tunnel's authority.
    private func route(in tunnel: TunnelInside) throws(RefusalError) -> Route {
        record.scheme = tunnel.scheme == .https ? "https" : "http"
        record.host = tunnel.authority.host
        record.port = tunnel.authority.port
        switch head.target {
        case .authority:
            throw RefusalError(.misdirected)
        case .absolute(let scheme, let range, _):
            guard scheme == tunnel.scheme else { throw RefusalError(.misdirected) }
            let target = head.targetBytes
            return try route(scheme, target.span.extracting(range), within: tunnel)
        case .origin, .asterisk:
            let fields = head.fields
            if let index = fields.index(of: .host) {
                return try route(tunnel.scheme, fields.value(index), within: tunnel)
            }
            // HTTP/1.0 may leave it out (RFC 9112 §3.2).
            return try route(tunnel.scheme, Array(tunnel.authority.description.utf8).span, within: tunnel)
        }
    }

    /// `written` is an authority as the client wrote it.
    private func route(
        _ scheme: Scheme, _ written: Span<UInt8>, within tunnel: TunnelInside? = nil
    ) throws(RefusalError) -> Route {
        if let last = connection.lastRoute, last.asked.scheme == scheme, written.equals(last.asked.authority.span) {
            describe(last)
            return last
        }
        let authority = try Authority(refusing: written, defaultPort: scheme.defaultPort)
        if let tunnel, authority != tunnel.authority { throw RefusalError(.misdirected) }
        let verdict = configuration.destinations.judge(authority)
        guard verdict == .allowed else { throw RefusalError(.destinationProhibited(verdict)) }
        let provider = rules.providers.lookUp(host: authority.host, port: authority.port)
        if provider == nil { worker.shared.hints.unlisted(authority, among: rules.providers, configuration.resolve) }
        let dialled = provider?.policy.dialled(scheme, authority) ?? (scheme: scheme, authority: authority)
        let written = written.withUnsafeBufferPointer { Array($0) }
        let route = Route(
            asked: (scheme, written), scheme: dialled.scheme, authority: dialled.authority, provider: provider,
            host: dialled.authority.port == authority.port ? written : Array(authority.hostOnly.utf8))
        connection.lastRoute = route
        describe(route)
        return route
    }

    private func describe(_ route: Route) {
        record.scheme = route.scheme == .https ? "https" : "http"
        record.host = route.authority.host
        record.port = route.authority.port
    }
}

extension Authority {
    /// As `init(parsing:)`; what is wrong becomes the answer.
    fileprivate init(refusing bytes: Span<UInt8>, defaultPort: UInt16?) throws(RefusalError) {
        do throws(HTTPError) { try self.init(parsing: bytes, defaultPort: defaultPort) } catch {
            throw RefusalError(.malformedRequest(error))
        }
    }

    /// As it stands in a URL, without the port.
    fileprivate var hostOnly: String { isIPv6Literal ? "[\(host)]" : host }
}

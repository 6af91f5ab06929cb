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
        describeRequest()
        if Via.containsLoop(head.fields, pseudonym: configuration.pseudonym) { throw RefusalError(.loop) }
        switch head.target {
        case .absolute(let scheme, let authority, _):
            return .forward(try route(scheme, authority))
        case .authority:
            let target = try head.authority(0..<head.targetBytes.count, defaultPort: nil)
            record.host = target.host
            record.port = target.port
            return .tunnel(target)
        case .origin, .asterisk:
            throw RefusalError(.notAProxyRequest)
        }
    }

    private func route(_ scheme: Scheme, _ range: Range<Int>) throws(RefusalError) -> Route {
        if let last = connection.lastRoute, last.asked.scheme == scheme,
            head.target(range, equals: last.asked.authority)
        {
            describe(last)
            return last
        }
        let authority = try head.authority(range, defaultPort: scheme.defaultPort)
        let verdict = configuration.destinations.judge(authority)
        guard verdict == .allowed else { throw RefusalError(.destinationProhibited(verdict)) }
        let provider = rules.providers.lookUp(host: authority.host, port: authority.port)
        if provider == nil { worker.shared.hints.unlisted(authority, among: rules.providers, configuration.resolve) }
        let dialled = provider?.policy.dialled(scheme, authority) ?? (scheme: scheme, authority: authority)
        let written = Array(head.targetBytes[range])
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

extension RequestHead {
    /// The authority that stands at `range` of the target.
    fileprivate func authority(_ range: Range<Int>, defaultPort: UInt16?) throws(RefusalError) -> Authority {
        do throws(HTTPError) {
            return try Authority(parsing: targetBytes.span.extracting(range), defaultPort: defaultPort)
        } catch {
            throw RefusalError(.malformedRequest(error))
        }
    }

    fileprivate func target(_ range: Range<Int>, equals other: [UInt8]) -> Bool {
        targetBytes.span.extracting(range).equals(other.span)
    }
}

extension Authority {
    /// As it stands in a URL, without the port.
    fileprivate var hostOnly: String { isIPv6Literal ? "[\(host)]" : host }
}

internal import HTTP
internal import Telemetry
internal import Upstream
internal import WAFTokens

/// Words for the operator about what clients do and the settings do not expect: one log line each, once for a host.
///
/// What is remembered is bounded, since clients choose the hosts; when it is full nothing more is said. Any thread.
final class Hints: Sendable {
    private enum Kind: Hashable {
        case unlistedPort, address, tunnel, clearText, serverName
        case challenge(Belonging?)
    }

    private struct Key: Hashable {
        let kind: Kind
        let host: String
    }

    private struct Memory {
        var told: Set<Key> = []
        /// Hosts that were looked for among the patterns already.
        var examined: Set<String> = []
    }

    static let toldLimit = 256
    static let examinedLimit = 4096

    private let logger: Logger
    private let memory = Lock(Memory())

    init(logger: Logger) {
        self.logger = logger
    }

    /// A request, or a tunnel, for an authority that no pattern fits.
    func unlisted(
        _ authority: Authority, among table: HostTable<ProxyProvider>, _ resolve: [Authority: Endpoint]
    ) {
        guard !table.isEmpty, isUnexamined(authority.host) else { return }
        if table.lists(host: authority.host) {
            tell(
                .unlistedPort, authority, "a listed host was asked for on a port that is not listed; it gets no token",
                set: "hosts: add \"\(authority)\", or \"\(authority.bracketedHost):*\" for every port")
        } else if authority.isIPLiteral, let name = listedName(leadingTo: authority, among: table, resolve) {
            tell(
                .address, authority,
                "a listed host was asked for by its address; it gets a token only under its listed name",
                set: "let clients use \(name), or add \"\(authority)\" to hosts")
        }
    }

    /// A CONNECT: what goes through a blind tunnel cannot be read, so nothing can be attached.
    func tunnelled(
        _ target: Authority, among table: HostTable<ProxyProvider>, _ resolve: [Authority: Endpoint]
    ) {
        guard let provider = table.lookUp(host: target.host, port: target.port) else {
            return unlisted(target, among: table, resolve)
        }
        tell(
            .tunnel, target, "a listed host was asked for through a tunnel (CONNECT), where no token can be attached",
            provider: provider.provider.name,
            set: "let clients ask for http://\(target.host)/ and set upgradeToTLS: true for this provider")
    }

    /// A client that asked for another name inside a tunnel (SNI) than the one it dialled.
    func otherServerName(_ target: Authority, asked name: String) {
        tell(
            .serverName, target, "a client asked for another TLS server name than the host it dialled; it was refused",
            set: "let the client use one name for both; it asked for \(Escaper.escape(name))")
    }

    /// A challenge that went to the client because no token belonged on the request.
    func challenged(_ authority: Authority, provider: String?, _ belonging: Belonging?) {
        let kind = Kind.challenge(belonging)
        switch belonging {
        case nil:
            if isTold(.unlistedPort, authority) || isTold(.address, authority) { return }  // the same cause
            tell(
                kind, authority, "a host that is not listed answered with a challenge; it gets no token",
                set: "hosts: add \"\(authority)\"")
        case .preflight:
            tell(
                kind, authority, "a CORS preflight was challenged; preflights get no token", provider: provider,
                set: "attachToPreflight: true, or let the endpoint's rules pass OPTIONS")
        case .outsideCookiePath:
            tell(
                kind, authority, "a path outside of tokenCookiePath was challenged; it gets no token",
                provider: provider, set: "tokenCookiePath: \"/\", or a path that covers it")
        case .unverifiedOrigin:
            tell(
                kind, authority,
                "an origin whose certificate is not verified answered with a challenge; it gets no token",
                provider: provider, set: "upstream.caFile for its authority, or allowInsecureToken: true")
        case .clientHasToken:
            tell(
                kind, authority, "a token that the client brought along was challenged", provider: provider,
                set: "clientToken: replace")
        case .yes: break
        }
    }

    /// A request was refused because its token would have travelled in clear text.
    func refusedInClear(_ authority: Authority, provider: String) {
        tell(
            .clearText, authority, "a request over plain http to a public address was refused: it carries a secret",
            provider: provider, set: "upgradeToTLS: true, or allowPlainHTTP: true, for this provider")
    }

    /// A listed name that is dialled at this address and port.
    private func listedName(
        leadingTo address: Authority, among table: HostTable<ProxyProvider>, _ resolve: [Authority: Endpoint]
    ) -> Authority? {
        resolve.first { name, endpoint in
            endpoint.host == address.host && endpoint.port == address.port
                && table.lookUp(host: name.host, port: name.port) != nil
        }?.key
    }

    private func isUnexamined(_ host: String) -> Bool {
        memory.withLock { memory in
            memory.examined.count < Self.examinedLimit && memory.examined.insert(host).inserted
        }
    }

    private func isTold(_ kind: Kind, _ authority: Authority) -> Bool {
        memory.withLock { $0.told.contains(Key(kind: kind, host: authority.host)) }
    }

    private func tell(
        _ kind: Kind, _ authority: Authority, _ message: StaticString, provider: String? = nil, set: String
    ) {
        let isNew = memory.withLock { memory in
            memory.told.count < Self.toldLimit && memory.told.insert(Key(kind: kind, host: authority.host)).inserted
        }
        guard isNew else { return }
        var metadata: [(StaticString, LogValue)] = [("host", .string(authority.host)), ("port", LogValue(authority))]
        if let provider { metadata.append(("provider", .string(provider))) }
        logger.warning(message, metadata + [("set", .string(set))])
    }
}

extension LogValue {
    fileprivate init(_ authority: Authority) { self = .integer(Int(authority.port)) }
}

extension Authority {
    fileprivate var bracketedHost: String { isIPv6Literal ? "[\(host)]" : host }
}

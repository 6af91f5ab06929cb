internal import EventLoop
internal import HTTP
internal import Telemetry

/// How one request reaches its origin: directly or through a parent, and whether by another endpoint than it names.
struct Way: Equatable {
    let parent: ParentProxy?
    /// What `resolve` says in the authority's place.
    let endpoint: Endpoint?
    /// Whether the parent only passes bytes on, so that the request goes out as to the origin itself.
    let isTunnelled: Bool

    init(to request: borrowing OutboundRequest, _ configuration: UpstreamConfiguration) {
        parent = configuration.parent(request.scheme, request.authority)
        endpoint = configuration.resolve[request.authority]
        // Another endpoint than the URL's can only be told to a parent by CONNECT; upgrades seldom pass one otherwise.
        isTunnelled =
            request.scheme == .https || request.upgrade || endpoint != nil || parent?.kind == .socks5
    }

    /// Whether the parent gets the request itself, in absolute form (RFC 9112 §3.2.2).
    var asksParent: Bool { parent != nil && !isTunnelled }

    /// Throws where the rules forbid this origin behind a parent, which hides the address that it connects.
    func judge(_ request: borrowing OutboundRequest, _ configuration: UpstreamConfiguration) throws(UpstreamError) {
        guard parent != nil else { return }
        let dialled = endpoint.map { Authority(host: $0.host, port: $0.port) } ?? request.authority
        if let reason = configuration.judgeBehindParent(request.authority, dialled, request.refusesLoopback) {
            throw UpstreamError(.destinationProhibited, "\(dialled.host): \(reason)")
        }
        if request.requiresPrivatePeer, SocketAddress(ip: dialled.host, port: dialled.port)?.isPrivate != true {
            throw UpstreamError(
                .clearTextRefused,
                "The parent proxy hides the address of \(dialled.host), and clear text may only go to a private one.")
        }
    }
}

internal import HTTP
internal import Upstream
internal import WAFTokens

/// Phase *rewrite*: hop-by-hop fields go, `Host` follows the target, `Via` is added, the token is attached; order, case
/// and bytes of everything else stay.
extension RequestContext {
    func rewrite(for route: Route) async throws(RefusalError) {
        HopByHop.strip(&head.fields, keepingUpgrade: head.upgradesToWebSocket)
        head.fields.setHost(route.host.span)
        if configuration.addsVia {
            Via.append(to: &head.fields, version: head.version, pseudonym: configuration.viaName)
        }
        guard let provider = route.provider else { return }
        guard rules.isVerified(route) || provider.policy.allowInsecureToken else { return }
        provider.policy.addHeaders(to: &head.fields)
        attachment = try await obtainToken(from: provider, for: route)
        if case .token(let snapshot) = attachment { provider.policy.attach(snapshot.token, to: &head.fields) }
    }

    /// The token that belongs on this request, waiting for one as the provider's policy says.
    private func obtainToken(from provider: ProxyProvider, for route: Route) async throws(RefusalError) -> Attachment {
        let isVerified = rules.isVerified(route)
        guard case .yes = provider.policy.belonging(on: head, isVerified: isVerified) else { return .none }
        let needsLife = !canKeepBody
        if !needsLife, let ready = provider.provider.readyToken() { return .token(ready) }
        let hold: Duration =
            switch provider.policy.whenNoToken {
            case .hold(let limit): limit
            case .closed, .open: .zero
            }
        switch await provider.provider.tokenForRequest(within: hold, needsLife: needsLife) {
        case .token(let snapshot):
            return .token(snapshot)
        case .none(let reason):
            guard case .open = provider.policy.whenNoToken else { throw RefusalError(.noToken(reason)) }
            note = reason
            return .without
        }
    }

    /// Whether a challenge could be answered with a replay, as far as is known before the body has come.
    var canKeepBody: Bool {
        guard configuration.maxReplays > 0 else { return !head.framing.hasBody }
        return switch head.framing {
        case .none, .chunked: true
        case .length(let length): length <= UInt64(configuration.replayBufferBytes)
        }
    }

    /// Whether something travels that only a private peer may see in clear text.
    func carriesSecretInClear(_ route: Route) -> Bool {
        guard let policy = route.provider?.policy, policy.needsPrivatePeer(over: route.scheme) else { return false }
        if case .token = attachment { return true }
        return !policy.headers.isEmpty
    }
}

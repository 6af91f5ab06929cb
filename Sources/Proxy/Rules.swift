internal import HTTP
internal import Upstream
internal import WAFTokens

/// What requests go by until the next reload: one value that is replaced as a whole. A request keeps the one that it
/// began with, so that nothing changes under it.
///
/// Each worker has an instance of its own: a count of references that loops shared would cost every request. Confined to
/// the worker's loop, but for its making.
final class Rules {
    /// Rises with every reload, from 0.
    let generation: UInt64
    let configuration: ProxyConfiguration
    let providers: HostTable<ProxyProvider>
    let lease: UpstreamLease

    init(
        generation: UInt64, configuration: ProxyConfiguration, providers: HostTable<ProxyProvider>,
        lease: UpstreamLease
    ) {
        self.generation = generation
        self.configuration = configuration
        self.providers = providers
        self.lease = lease
    }

    /// Whether the origin is what its name says, as far as its scheme allows.
    func isVerified(_ route: Route) -> Bool {
        route.scheme == .http || lease.client.configuration.verifies(route.authority)
    }
}

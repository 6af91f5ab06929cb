internal import EventLoop
internal import Proxy
public import Settings
internal import Upstream
internal import WAFTokens

/// What would become of a request, by the settings alone: nothing is started, nothing is looked up.
public enum RequestExplanation {
    /// Lines for a person: target, route, provider, token yes or no, and why.
    public static func text(for url: String, _ settings: EffectiveSettings) throws(RunningProxy.Failure) -> String {
        var groups: [(patterns: [HostPattern], value: Explainer.Listed)] = []
        for entry in settings.providers {
            groups.append(
                (try Providers.patterns(entry), Explainer.Listed(name: entry.name, policy: AttachPolicy(entry))))
        }
        let table: HostTable<Explainer.Listed>
        do throws(HostTable<Explainer.Listed>.Conflict) { table = try HostTable(groups) } catch {
            throw .settings("providers: \(error)")
        }
        var configuration = try ProxyConfiguration(settings)
        for address in settings.listen + [settings.admin.listen].compactMap({ $0 }) {
            // A unix socket is no destination.
            if case .unix = address { continue }
            configuration.destinations.ownListeners.append(try SocketAddress(address, for: "listen"))
        }
        let explainer = Explainer(configuration, try UpstreamConfiguration(settings), table)
        do throws(Explainer.Fault) { return "\(try explainer.explain(url))\n" } catch {
            throw .settings("url: \(error)")
        }
    }
}

/// What would become of a request, and why.
public struct Explanation: Sendable, Equatable {
    /// What the proxy does with it.
    public enum Route: String, Sendable, CaseIterable {
        /// Reads it and sends it on.
        case forward
        /// Reads what goes through a tunnel (CONNECT) and sends it on.
        case intercept
        /// Passes bytes on without looking.
        case tunnel
        /// Answers it with an error.
        case refused
    }

    /// Why there is a token or not. Raw values are part of the admin API.
    public enum Reason: String, Sendable, CaseIterable {
        case attached
        case hostNotListed = "host_not_listed"
        case portNotListed = "port_not_listed"
        case destinationRefused = "destination_refused"
        case blindTunnel = "blind_tunnel"
        case outsideCookiePath = "outside_cookie_path"
        case unverifiedOrigin = "unverified_origin"
        case clearTextRefused = "clear_text_refused"
    }

    public var route: Route
    /// Scheme, host and port that go out.
    public var target: String
    /// Host and port that are dialled: others where `upstream.resolve` says so.
    public var dialled: String
    /// The provider that the host is listed for.
    public var provider: String?
    /// Whether the request gets the provider's token.
    public var getsToken: Bool
    public var reason: Reason
    /// The reason in a sentence for a person, with what to set where that helps.
    public var sentence: String
}

extension Explanation: CustomStringConvertible {
    /// One line each for target, route, provider, token and reason.
    public var description: String {
        """
        target    \(target)
        dialled   \(dialled)
        route     \(route.rawValue)
        provider  \(provider ?? "none")
        token     \(getsToken ? "yes" : "no")
        why       \(reason.rawValue): \(sentence)
        """
    }
}

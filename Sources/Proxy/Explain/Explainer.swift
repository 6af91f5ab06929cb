internal import EventLoop
internal import HTTP
public import Upstream
public import WAFTokens

/// Says what would become of a GET of a URL by a client on this machine, by the rules that requests are judged by.
///
/// Pure: it looks no name up, so a rule about addresses is applied only where the URL or `upstream.resolve` names one.
public struct Explainer: Sendable {
    /// What is to be known of a listed host.
    public struct Listed: Sendable {
        /// The provider's name.
        public let name: String
        public let policy: AttachPolicy

        public init(name: String, policy: AttachPolicy) {
            self.name = name
            self.policy = policy
        }
    }

    private let destinations: DestinationRules
    private let resolve: [Authority: Endpoint]
    private let intercepts: Bool
    private let verifies: @Sendable (Authority) -> Bool
    private let isBehindParent: @Sendable (Scheme, Authority) -> Bool
    private let lookUp: @Sendable (Authority) -> Listed?
    private let lists: @Sendable (String) -> Bool

    /// For a table of listed hosts, without a running proxy, which would intercept them.
    public init(_ configuration: ProxyConfiguration, _ upstream: UpstreamConfiguration, _ table: HostTable<Listed>) {
        self.init(configuration, upstream, intercepts: true) {
            table.lookUp(host: $0.host, port: $0.port)
        } lists: {
            table.lists(host: $0)
        }
    }

    init(_ configuration: ProxyConfiguration, _ upstream: UpstreamConfiguration, _ table: HostTable<ProxyProvider>) {
        self.init(configuration, upstream, intercepts: configuration.interceptor != nil) { authority in
            table.lookUp(host: authority.host, port: authority.port).map {
                Listed(name: $0.provider.name, policy: $0.policy)
            }
        } lists: {
            table.lists(host: $0)
        }
    }

    private init(
        _ configuration: ProxyConfiguration, _ upstream: UpstreamConfiguration, intercepts: Bool,
        lookUp: @escaping @Sendable (Authority) -> Listed?, lists: @escaping @Sendable (String) -> Bool
    ) {
        destinations = configuration.destinations
        resolve = configuration.resolve
        self.intercepts = intercepts
        verifies = { upstream.verifies($0) }
        isBehindParent = { upstream.parent($0, $1) != nil }
        self.lookUp = lookUp
        self.lists = lists
    }

    /// Why a text is no URL that a client may ask the proxy for.
    public struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
        /// One sentence part for a person.
        public let description: String
    }

    public func explain(_ url: String) throws(Fault) -> Explanation {
        let (head, scheme, asked) = try Self.parse(url)
        let listed = lookUp(asked)
        let out = listed?.policy.dialled(scheme, asked) ?? (scheme: scheme, authority: asked)
        let endpoint = resolve[out.authority] ?? Endpoint(host: out.authority.host, port: out.authority.port)
        let address = SocketAddress(ip: endpoint.host, port: endpoint.port)
        var explanation = Explanation(
            route: scheme == .http ? .forward : listed != nil && intercepts ? .intercept : .tunnel,
            target: "\(out.scheme)://\(out.authority)",
            dialled: "\(Authority(host: endpoint.host, port: endpoint.port))", provider: listed?.name,
            getsToken: false, reason: .hostNotListed, sentence: "")

        let verdict = self.verdict(asked, out, endpoint, address)
        if verdict != .allowed {
            explanation.route = .refused
            explanation.give(.destinationRefused, "\(verdict.sentence)")
        } else if let listed {
            judge(listed.policy, head, asked: scheme, out, address, &explanation)
        } else if lists(asked.host) {
            explanation.give(
                .portNotListed, "the host is listed, but not on port \(asked.port); add \"\(asked)\" to hosts")
        } else {
            explanation.give(.hostNotListed, "no provider lists this host; what goes there is left alone")
        }
        return explanation
    }

    /// The head of a GET in absolute form, read as clients' heads are.
    private static func parse(_ url: String) throws(Fault) -> (RequestHead, Scheme, Authority) {
        var head = RequestHead()
        var parser = RequestHeadParser(limits: HeadLimits())
        do throws(HTTPError) {
            // Blanks and line ends would make it another request; the parser sees to all other bytes.
            let isOneWord = !url.utf8.contains { $0 <= 0x20 }
            let bytes = Array("GET \(url) HTTP/1.1\r\nHost: explained\r\n\r\n".utf8)
            if isOneWord, try parser.parse(bytes.span, into: &head) != nil,
                case .absolute(let scheme, let range, _) = head.target
            {
                let text = head.targetBytes.span.extracting(range)
                return (head, scheme, try Authority(parsing: text, defaultPort: scheme.defaultPort))
            }
        } catch {
            throw Fault(description: "\(error.reason)")
        }
        throw Fault(description: "it is no absolute http or https URL")
    }

    private func verdict(
        _ asked: Authority, _ out: (scheme: Scheme, authority: Authority), _ endpoint: Endpoint,
        _ address: SocketAddress?
    ) -> DestinationRules.Verdict {
        let byName = destinations.judge(asked)
        guard byName == .allowed else { return byName }
        if isBehindParent(out.scheme, out.authority) {
            return destinations.judge(
                behindParent: Authority(host: endpoint.host, port: endpoint.port), for: out.authority,
                clientIsLoopback: true)
        }
        guard let address else { return .allowed }
        return destinations.judge(address, for: out.authority, clientIsLoopback: true)
    }

    private func judge(
        _ policy: AttachPolicy, _ head: borrowing RequestHead, asked: Scheme,
        _ out: (scheme: Scheme, authority: Authority), _ address: SocketAddress?, _ explanation: inout Explanation
    ) {
        if asked == .https, !intercepts {
            return explanation.give(
                .blindTunnel,
                "clients open a tunnel (CONNECT) for https, where no token can be attached while nothing is intercepted"
            )
        }
        switch policy.belonging(on: head, isVerified: out.scheme == .http || verifies(out.authority)) {
        case .yes: judgeClearText(policy, out, address, &explanation)
        case .unverifiedOrigin:
            explanation.give(
                .unverifiedOrigin, "the origin's certificate is not verified (upstream); see allowInsecureToken")
        case .outsideCookiePath:
            explanation.give(.outsideCookiePath, "tokenCookiePath does not cover this path")
        case .preflight, .clientHasToken:
            preconditionFailure("a GET without fields is no preflight and brings no token")
        }
    }

    private func judgeClearText(
        _ policy: AttachPolicy, _ out: (scheme: Scheme, authority: Authority), _ address: SocketAddress?,
        _ explanation: inout Explanation
    ) {
        guard policy.needsPrivatePeer(over: out.scheme), address?.isPrivate != true else {
            explanation.getsToken = true
            return explanation.give(.attached, "the host is listed")
        }
        if address != nil {
            explanation.route = .refused
            explanation.give(
                .clearTextRefused,
                "the token does not travel over plain http to a public address; see upgradeToTLS and allowPlainHTTP")
        } else if isBehindParent(out.scheme, out.authority) {
            explanation.route = .refused
            explanation.give(
                .clearTextRefused,
                "the parent proxy hides the host's address, and the token travels over plain http to private addresses "
                    + "only; see upgradeToTLS, allowPlainHTTP and upstream.noParentFor")
        } else {
            explanation.getsToken = true
            explanation.give(
                .attached,
                "the host is listed; if its address turns out to be public the request is refused with "
                    + "clear_text_refused, unless upgradeToTLS or allowPlainHTTP is set")
        }
    }
}

extension Explanation {
    fileprivate mutating func give(_ reason: Reason, _ sentence: String) {
        self.reason = reason
        self.sentence = sentence
    }
}

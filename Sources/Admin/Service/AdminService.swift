public import EventLoop
internal import HTTP
public import Proxy
internal import Synchronization
public import Telemetry
public import WAFTokens

/// Does what operators ask for: a view of the proxy, and calls to its token providers. Any thread.
public final class AdminService: Sendable {
    /// A provider and the patterns of the hosts that get its token.
    public struct Provider: Sendable {
        public let provider: WAFTokenProvider
        public let hosts: [String]

        public init(_ provider: WAFTokenProvider, hosts: [String]) {
            self.provider = provider
            self.hosts = hosts
        }
    }

    let version: String
    let listen: [SocketAddress]
    private let view: Lock<View>
    let counters: @Sendable () -> ProxyServer.Counters
    private let metrics: ProxyMetrics
    private let flows: FlowRing
    private let droppedLogLines: @Sendable () -> Int
    /// Connections to the admin listener.
    let connections = Atomic<Int>(0)
    let started = EventLoop.preciseNow
    private let isListening = Atomic<Bool>(true)

    /// What a reload of the settings changes.
    private struct View {
        var providers: [Provider]
        var explainer: Explainer
        var reload: (@Sendable () async -> AdminReload)?
        var drain: (@Sendable () -> Void)?
        var authority: [UInt8]?
        var trust: (@Sendable (TrustFile) -> [UInt8]?)?
        var troubles: @Sendable () -> [TrustTrouble] = { [] }
    }

    /// `listen` are the addresses that clients connect to.
    public init(
        version: String, listen: [SocketAddress], providers: [Provider], explainer: Explainer,
        counters: @escaping @Sendable () -> ProxyServer.Counters, metrics: ProxyMetrics, flows: FlowRing,
        droppedLogLines: @escaping @Sendable () -> Int
    ) {
        self.version = version
        self.listen = listen
        view = Lock(View(providers: providers, explainer: explainer))
        self.counters = counters
        self.metrics = metrics
        self.flows = flows
        self.droppedLogLines = droppedLogLines
    }

    var providers: [Provider] { view.withLock { $0.providers } }
    var explainer: Explainer { view.withLock { $0.explainer } }

    /// Shows these from now on.
    public func adopt(_ providers: [Provider], _ explainer: Explainer) {
        view.withLock { view in
            view.providers = providers
            view.explainer = explainer
        }
    }

    /// What `POST /v1/reload` does.
    public func offerReload(_ reload: @escaping @Sendable () async -> AdminReload) {
        view.withLock { $0.reload = reload }
    }

    /// What `POST /v1/drain` begins; it must come back at once.
    public func offerDrain(_ drain: @escaping @Sendable () -> Void) {
        view.withLock { $0.drain = drain }
    }

    /// What `GET /ca.pem` answers: a certificate as PEM.
    public func offerAuthority(_ pem: [UInt8]) {
        view.withLock { $0.authority = pem }
    }

    /// What `GET /trust/NAME` answers; it may take its time, and is nil where the file cannot be made.
    public func offerTrust(_ trust: @escaping @Sendable (TrustFile) -> [UInt8]?) {
        view.withLock { $0.trust = trust }
    }

    /// Clients that do not accept the proxy's certificates.
    public func offerTroubles(_ troubles: @escaping @Sendable () -> [TrustTrouble]) {
        view.withLock { $0.troubles = troubles }
    }

    /// From now on the proxy is not ready any more.
    public func drains() { isListening.store(false, ordering: .relaxed) }

    func answer(_ request: AdminRequest, _ gate: AdminGate) async -> AdminAnswer {
        switch AdminOperation.find(request) {
        case .failure(let refusal):
            return gate.refusalOfHost(request) ?? refusal.answer
        case .success(let operation):
            if let refusal = gate.refusal(of: request, operation.access) { return refusal }
            do throws(AdminRefusal) { return try await perform(operation, request.body) } catch { return error.answer }
        }
    }

    private func perform(_ operation: AdminOperation, _ body: [UInt8]) async throws(AdminRefusal) -> AdminAnswer {
        switch operation {
        case .page(let file):
            return file.answer
        case .authority:
            guard let pem = view.withLock({ $0.authority }) else { throw Self.nothingToTrust }
            return AdminAnswer(pem, type: "application/x-pem-file")
        case .trust(let file):
            guard let make = view.withLock({ $0.trust }) else { throw Self.nothingToTrust }
            guard let bytes = await Task.detached(operation: { make(file) }).value else {
                return AdminAnswer(error: "internal", "the file cannot be made of this machine's roots", status: 500)
            }
            return AdminAnswer(bytes, type: file.mediaType)
        case .clients:
            return AdminAnswer(ClientsDocument.json(view.withLock { $0.troubles }()))
        case .live:
            return AdminAnswer(.members(["live": .bool(true)]))
        case .ready:
            let statuses = await Self.statuses(of: providers)
            return Readiness(isListening: isListening.load(ordering: .relaxed), statuses).answer
        case .metrics:
            let document = MetricsDocument(
                version: version, uptime: EventLoop.preciseNow - started, metrics: metrics, counters: counters(),
                providers: await Self.statuses(of: providers), adminConnections: connections.load(ordering: .relaxed),
                droppedLogLines: droppedLogLines())
            return AdminAnswer(document.text, type: MetricsText.contentType)
        case .flows(let filter):
            let flows = flows
            return AdminAnswer(await elsewhere { FlowJSON.write(flows.select(filter)) }, type: "application/json")
        case .archive(let filter):
            let (flows, version) = (flows, version)
            let bytes = await elsewhere {
                HARDocument(version: version, entries: flows.select(filter).entries).json.bytes
            }
            var answer = AdminAnswer(bytes, type: "application/json")
            answer.extraFields = [("Content-Disposition", "attachment; filename=\"flows.har\"")]
            return answer
        case .status:
            return AdminAnswer(await statusDocument())
        case .explain(let url):
            return try await explain(url)
        case .showToken(let name, let reveal):
            return try await showToken(find(name), reveal: reveal)
        case .loadToken(let name):
            let provider = try find(name).provider
            let (token, expiresIn) = try AdminBody.token(body)
            await provider.loadTokenIntoProvider(token, expiresIn: expiresIn)
            return AdminAnswer(ProviderDocument.token(await provider.status()))
        case .refresh(let name):
            let provider = try find(name).provider
            try AdminBody.nothing(body)
            return await refresh(provider)
        case .expire(let name):
            let provider = try find(name).provider
            try AdminBody.nothing(body)
            await provider.expireToken()
            return AdminAnswer(ProviderDocument.token(await provider.status()))
        case .drain:
            try AdminBody.nothing(body)
            return try drain()
        case .reload:
            try AdminBody.nothing(body)
            return await reload()
        case .setActivity:
            let (isActive, name) = try AdminBody.activity(body)
            for entry in try name.map({ name throws(AdminRefusal) in [try find(name)] }) ?? providers {
                await entry.provider.setActive(isActive)
            }
            return AdminAnswer(.members(["active": .bool(isActive)]))
        }
    }

    private static let nothingToTrust = AdminRefusal(
        .notFound, "nothing is intercepted, so there is no authority to trust")

    private func drain() throws(AdminRefusal) -> AdminAnswer {
        guard let drain = view.withLock({ $0.drain }) else {
            throw AdminRefusal(.notFound, "this proxy is stopped by the program that it runs in")
        }
        drain()
        return AdminAnswer(.members(["draining": .bool(true)]), status: 202)
    }

    private func reload() async -> AdminAnswer {
        guard let reload = view.withLock({ $0.reload }) else {
            return AdminAnswer(error: "not_found", "this proxy does not reload", status: 404)
        }
        return await reload().answer
    }

    /// Long work: not on a loop that serves requests.
    private func elsewhere(_ work: @escaping @Sendable () -> [UInt8]) async -> [UInt8] {
        await Task.detached(operation: work).value
    }

    private func find(_ name: String) throws(AdminRefusal) -> Provider {
        guard let found = providers.first(where: { $0.provider.name == name }) else {
            throw AdminRefusal(.notFound, "no provider is called \(Escaper.escape(name))")
        }
        return found
    }

    static func statuses(of providers: [Provider]) async -> [ProviderStatus] {
        var statuses: [ProviderStatus] = []
        for entry in providers { statuses.append(await entry.provider.status()) }
        return statuses
    }

    private func showToken(_ entry: Provider, reveal: Bool) async -> AdminAnswer {
        let status = await entry.provider.status()
        let token = reveal ? await entry.provider.peekToken() : nil
        return AdminAnswer(ProviderDocument.token(status, revealing: reveal ? .some(token) : nil))
    }

    /// 502 where the source gives no token: it is the upstream of this call.
    private func refresh(_ provider: WAFTokenProvider) async -> AdminAnswer {
        let outcome = await provider.refresh()
        let status = await provider.status()
        guard let reason = outcome.reason else { return AdminAnswer(ProviderDocument.token(status)) }
        return AdminAnswer(error: reason.rawValue, status.lastFetch?.detail ?? "there is no token", status: 502)
    }

    private func explain(_ url: String) async throws(AdminRefusal) -> AdminAnswer {
        let explanation: Explanation
        do throws(Explainer.Fault) { explanation = try explainer.explain(url) } catch {
            throw AdminRefusal(.badRequest, "url: \(error)")
        }
        let provider = providers.first { $0.provider.name == explanation.provider }
        return AdminAnswer(.explanation(explanation, await provider?.provider.status()))
    }
}

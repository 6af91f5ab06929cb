internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream
internal import WAFTokens

/// Everything that the connections of one loop share. Confined to that loop.
final class Worker {
    let loop: EventLoop
    let shared: SharedState
    let logger: Logger
    /// The loop's number among those of the proxy.
    let index: Int
    /// Whether operators can look at requests that are over.
    var keepsFlows: Bool { shared.flows.capacity > 0 }

    /// What requests that begin now go by.
    private(set) var rules: Rules
    private let leases: UpstreamLeases

    /// Bytes that go out in the same turn are put together here; nobody keeps them across an `await`.
    var outgoing: [UInt8] = []
    private var idleContexts: [RequestContext] = []
    private var connections: [ObjectIdentifier: ClientConnection] = [:]
    private var listeners: [Listener] = []
    private(set) var isDraining = false
    /// Requests that come now came after the end was announced.
    private(set) var refusesRequests = false
    private let whenEmpty = Finished()
    private let whenDrained = Finished()
    private var nextRequest: UInt64 = 0

    init(
        loop: EventLoop, upstream: UpstreamClient, configuration: ProxyConfiguration,
        providers: HostTable<ProxyProvider>, shared: SharedState, logger: Logger
    ) {
        self.loop = loop
        leases = UpstreamLeases(upstream)
        rules = Rules(
            generation: 0, configuration: configuration, providers: providers, lease: leases.current)
        self.shared = shared
        self.logger = logger
        index = Int(shared.index(of: loop))
        outgoing.reserveCapacity(16 * 1024)
    }

    var configuration: ProxyConfiguration { rules.configuration }

    /// From now on requests begin by other rules; a client of nil stays. Those under way end by theirs.
    func adopt(_ configuration: ProxyConfiguration, _ providers: HostTable<ProxyProvider>, _ client: UpstreamClient?) {
        if let client { leases.renew(client) }
        rules = Rules(
            generation: rules.generation + 1, configuration: configuration, providers: providers,
            lease: leases.current)
    }

    // MARK: Connections

    func listen(on socket: BoundSocket) throws(SystemError) {
        listeners.append(
            try Listener(loop: loop, socket: socket) { [unowned self] stream in accept(stream) })
    }

    private func accept(_ stream: Stream) {
        let connection = ClientConnection(worker: self, stream: stream)
        connections[ObjectIdentifier(connection)] = connection
        nonisolated(unsafe) let handedOver = connection  // its task runs on this loop
        loop.spawn { await handedOver.run() }
    }

    func connectionEnded(_ connection: ClientConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if isDraining, connections.isEmpty { whenEmpty.finish() }
    }

    // MARK: Contexts

    /// A context for one request, with the buffers of an earlier one where there is any.
    func takeContext() -> RequestContext {
        nextRequest += 1
        let context = idleContexts.popLast() ?? RequestContext()
        context.record.requestID = nextRequest &* shared.loopCount &+ UInt64(index)
        return context
    }

    func giveBack(_ context: RequestContext) {
        context.reset()
        if idleContexts.count < 256 { idleContexts.append(context) }
    }

    // MARK: Draining

    /// Stops accepting, ends resting connections now and the others after their request, all by the deadline. Whoever
    /// calls it again waits for the same end.
    func drain() async {
        if isDraining { return await whenDrained.wait() }
        isDraining = true
        for listener in listeners { listener.stop() }
        listeners.removeAll()
        if !connections.isEmpty {
            // What clients sent before waits in the kernel still: it is read and served before resting connections end.
            await loop.sleep(for: .milliseconds(50))
            refusesRequests = true
            for connection in connections.values where connection.isUnused {
                connection.stream.close()
            }
        }
        if !connections.isEmpty { await drainConnections() }
        leases.shutdown()
        whenDrained.finish()
    }

    /// Waits until every connection is over; ends those that are left at the deadline, and waits no longer for one
    /// whose request hangs on something else, as one that is held for a token.
    private func drainConnections() async {
        let giveUp = LoopTimer(loop: loop) { [whenEmpty] in whenEmpty.finish() }
        let deadline = LoopTimer(loop: loop) { [unowned self] in
            for connection in connections.values { connection.end() }
            giveUp.start(after: .milliseconds(500))
        }
        deadline.start(after: configuration.drainTimeout)
        await whenEmpty.wait()
        deadline.close()
        giveUp.close()
    }
}

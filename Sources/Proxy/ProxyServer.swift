public import EventLoop
public import Telemetry
public import Upstream
public import WAFTokens

/// A running proxy: one `Worker` per loop, all listening on the same addresses.
///
/// Any thread may call it. Owns neither the loops nor the providers.
public final class ProxyServer: Sendable {
    private let workers: [WorkerBox]
    private let shared: SharedState
    let viaName: String
    private let published: Lock<Explainer>
    /// What it has counted.
    public var metrics: ProxyMetrics { shared.metrics }
    /// The last requests that it has served.
    public var flows: FlowRing { shared.flows }
    /// What is listened on, with the real ports.
    public let addresses: [SocketAddress]

    /// How many there are of what.
    public struct Counters: Sendable, Equatable {
        /// Client connections.
        public let connections: Int
        /// Tunnels.
        public let tunnels: Int
        /// Bytes of request bodies that are kept for replays.
        public let replayBufferBytes: Int

        public init(connections: Int, tunnels: Int, replayBufferBytes: Int = 0) {
            self.connections = connections
            self.tunnels = tunnels
            self.replayBufferBytes = replayBufferBytes
        }
    }

    /// Why a proxy could not start.
    public enum StartError: Error, Sendable, CustomStringConvertible {
        case cannotListen(SocketAddress, SystemError)
        case upstream(UpstreamError)
        /// A parent proxy that would lead back to this one, as it is written.
        case parentIsSelf(String)

        public var description: String {
            switch self {
            case .cannotListen(let address, let cause): "cannot listen on \(address): \(cause)"
            case .upstream(let cause): cause.detail
            case .parentIsSelf(let parent): "upstream.parentProxy: \(parent) is this proxy itself"
            }
        }
    }

    /// Binds every address for every loop, then starts to accept.
    ///
    /// `configuration.destinations` gets the bound addresses added as the proxy's own; the rules of `upstream` for
    /// destinations are replaced by them.
    public init(
        listenOn wanted: [SocketAddress], loops: [EventLoop], configuration: ProxyConfiguration,
        upstream: UpstreamConfiguration, providers: HostTable<ProxyProvider>, replayBudget: ReplayBudget,
        metrics: ProxyMetrics = ProxyMetrics(), flows: FlowRing = FlowRing(capacity: 0), logger: Logger
    ) async throws(StartError) {
        var sockets: [[BoundSocket]] = []
        for address in wanted {
            do throws(SystemError) {
                sockets.append(try ListenerGroup.bind(address, count: loops.count))
            } catch {
                throw .cannotListen(address, error)
            }
        }
        addresses = sockets.map { $0[0].address }
        let viaName = Self.makeViaName()
        let (configuration, upstream) = Self.complete(configuration, upstream, addresses, viaName)
        try Self.checkParents(upstream, configuration.destinations)
        let shared = SharedState(
            loops: loops, replayBudget: replayBudget, metrics: metrics, flows: flows, logger: logger)
        var workers: [WorkerBox] = []
        for (index, loop) in loops.enumerated() {
            let mine = sockets.map { $0[index] }
            let result: Result<WorkerBox, StartError> = await loop.run {
                do throws(StartError) {
                    let worker = Worker(
                        loop: loop, upstream: try client(loop, upstream), configuration: configuration,
                        providers: providers, shared: shared, logger: logger)
                    for socket in mine {
                        do throws(SystemError) { try worker.listen(on: socket) } catch {
                            throw .cannotListen(socket.address, error)
                        }
                    }
                    return .success(WorkerBox(worker))
                } catch {
                    return .failure(error)
                }
            }
            do throws(StartError) { workers.append(try result.get()) } catch {
                await Self.drain(workers)
                throw error
            }
        }
        self.workers = workers
        self.shared = shared
        self.viaName = viaName
        published = Lock(Explainer(configuration, upstream, providers))
    }

    /// Says what would become of a request, by the rules that this proxy follows now.
    public var explainer: Explainer { published.withLock { $0 } }

    /// Requests that begin from now on go by these rules, on every loop; those under way end by theirs, and no
    /// connection is closed. The last request that goes by the old origins' settings ends their connections.
    ///
    /// `renewsUpstream` false says that `upstream`, and the destinations in `configuration`, are what they were: then
    /// connections to origins stay. Throws before anything has changed. Not to be called at the same time as itself.
    public func adopt(
        _ configuration: ProxyConfiguration, upstream: UpstreamConfiguration, renewsUpstream: Bool,
        providers: HostTable<ProxyProvider>
    ) async throws(StartError) {
        let (configuration, upstream) = Self.complete(configuration, upstream, addresses, viaName)
        try Self.checkParents(upstream, configuration.destinations)
        var clients: [ClientBox?] = []
        for box in workers {
            guard renewsUpstream else {
                clients.append(nil)
                continue
            }
            let result: Result<ClientBox, StartError> = await box.loop.run {
                do throws(StartError) { return .success(ClientBox(try client(box.loop, upstream))) } catch {
                    return .failure(error)
                }
            }
            clients.append(try result.get())
        }
        for (box, client) in zip(workers, clients) {
            await box.loop.run { box.worker.adopt(configuration, providers, client?.client) }
        }
        published.withLock { $0 = Explainer(configuration, upstream, providers) }
    }

    /// What only the running proxy knows: where it listens, and that its rules for destinations hold for origins.
    private static func complete(
        _ configuration: ProxyConfiguration, _ upstream: UpstreamConfiguration, _ addresses: [SocketAddress],
        _ viaName: String
    ) -> (ProxyConfiguration, UpstreamConfiguration) {
        var (configuration, upstream) = (configuration, upstream)
        configuration.destinations.ownListeners += addresses
        configuration.destinations.localAddresses = LocalAddresses.all()
        configuration.viaName = viaName
        upstream.viaName = viaName
        let destinations = configuration.destinations
        upstream.judgeBehindParent = { target, told, refusesLoopback in
            let verdict = destinations.judge(behindParent: told, for: target, clientIsLoopback: !refusesLoopback)
            return verdict == .allowed ? nil : verdict.sentence
        }
        upstream.judgeParent = { destinations.isOwn($0) ? "the parent proxy is this proxy itself" : nil }
        upstream.judgeDestination = configuration.destinations.judge
        upstream.isLoopbackListed = configuration.destinations.lists
        return (configuration, upstream)
    }

    /// This instance's name in `Via`: eight digits tell it from others in a chain.
    private static func makeViaName() -> String {
        let digits = String(UInt32.random(in: .min ... .max), radix: 16)
        return "waf-token-proxy-" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    /// Refuses a parent that leads back here, as far as that is known without a look-up; what a name leads to is judged
    /// when it is dialled.
    private static func checkParents(
        _ upstream: UpstreamConfiguration, _ destinations: DestinationRules
    ) throws(StartError) {
        for parent in upstream.parents {
            let hosts = parent.host == "localhost" ? ["127.0.0.1", "::1"] : [parent.host]
            let addresses = hosts.compactMap { SocketAddress(anySpelling: $0, port: parent.port) }
            if addresses.contains(where: destinations.isOwn) { throw .parentIsSelf("\(parent)") }
        }
    }

    /// What goes on now.
    public var counters: Counters {
        Counters(
            connections: shared.connections.value, tunnels: shared.tunnels.value,
            replayBufferBytes: shared.replayBudget.usedBytes)
    }

    /// Clients that did not accept our certificates, the most frequent first.
    public var trustTroubles: [TrustTrouble] { shared.trust.all }

    /// Ends as `limits.drainSec` says: no new connections, requests under way are finished. Returns when all is over,
    /// every time it is called.
    public func drain() async { await Self.drain(workers) }

    private static func drain(_ workers: [WorkerBox]) async {
        await withTaskGroup { group in
            for box in workers {
                group.addTask {
                    await box.loop.run { await box.worker.drain() }
                }
            }
        }
    }
}

private func client(
    _ loop: EventLoop, _ configuration: UpstreamConfiguration
) throws(ProxyServer.StartError) -> UpstreamClient {
    do throws(UpstreamError) {
        return try UpstreamClient(loop: loop, configuration: configuration)
    } catch {
        throw .upstream(error)
    }
}

/// Names a worker from any thread; only its loop looks inside.
final class WorkerBox: @unchecked Sendable {
    let loop: EventLoop
    let worker: Worker

    init(_ worker: Worker) {
        loop = worker.loop
        self.worker = worker
    }
}

/// Carries a client that is not used yet to the worker that it was made for.
private final class ClientBox: @unchecked Sendable {
    let client: UpstreamClient

    init(_ client: UpstreamClient) {
        self.client = client
    }
}

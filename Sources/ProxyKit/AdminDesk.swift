internal import Admin
internal import EventLoop
internal import Proxy
internal import Settings
internal import TLS
internal import Telemetry
internal import WAFTokens

/// The admin listener of a running proxy, and the file with the token that its writes need.
final class AdminDesk: Sendable {
    let address: ListeningAddress
    private let server: AdminServer
    private let service: AdminService
    private let file: AdminTokenFile?
    /// Of its own: operators are answered at once however busy the loops of the clients are.
    private let loop: EventLoop

    /// A bound address: the proxy has to know it before it serves, and nobody is to be let in before that.
    struct Reservation {
        private let socket: AdminServer.Socket
        private let token: Redacted<String>?

        /// Nil where the settings want no listener.
        init?(_ settings: AdminSettings) throws(RunningProxy.Failure) {
            guard let listen = settings.listen else { return nil }
            let wanted: ListeningAddress =
                if case .unix(let path) = listen {
                    .unix(path: path)
                } else {
                    .ip(try SocketAddress(listen, for: "admin.listen"))
                }
            do throws(SystemError) {
                socket =
                    switch wanted {
                    case .unix(let path): .unix(try BoundUnixSocket(binding: path))
                    case .ip(let address): .ip(try ListenerGroup.bind(address, count: 1)[0])
                    }
            } catch {
                throw .unavailable(
                    "admin.listen: cannot listen on \(wanted): \(error); choose another address, or none")
            }
            token = settings.token
        }

        var address: ListeningAddress { socket.address }

        func open(
            _ server: ProxyServer, _ providers: Providers, _ logger: Logger
        ) async throws(RunningProxy.Failure) -> AdminDesk {
            let loop: EventLoop
            do throws(SystemError) { loop = try EventLoop(name: "admin") } catch {
                throw .unavailable("cannot start an event loop: \(error)")
            }
            loop.start()
            let service = AdminService(
                version: Product.version, listen: server.addresses,
                providers: AdminDesk.shown(providers),
                explainer: server.explainer, counters: { server.counters }, metrics: server.metrics,
                flows: server.flows,
                droppedLogLines: { logger.droppedLines })
            service.offerTroubles { server.trustTroubles }
            let given = token.map { Redacted(Array($0.reveal().utf8)) }
            let token = given ?? Redacted(Array(SecureRandom.bytes(32).hex.utf8))
            let file = given == nil ? AdminDesk.leave(token, for: address, logger) : nil
            do throws(SystemError) {
                let admin = try await AdminServer(on: socket, loop: loop, service: service, token: token)
                return AdminDesk(address, admin, service, file, loop)
            } catch {
                loop.stop()
                file?.remove()
                throw .unavailable("admin.listen: cannot listen on \(address): \(error)")
            }
        }
    }

    private init(
        _ address: ListeningAddress, _ server: AdminServer, _ service: AdminService, _ file: AdminTokenFile?,
        _ loop: EventLoop
    ) {
        self.loop = loop
        self.address = address
        self.server = server
        self.service = service
        self.file = file
    }

    /// Without the file nobody can write, but reads go on: no reason not to start.
    private static func leave(
        _ token: Redacted<[UInt8]>, for address: ListeningAddress, _ logger: Logger
    ) -> AdminTokenFile? {
        do throws(AdminTokenFile.Fault) {
            return try AdminTokenFile.write(token, for: address)
        } catch {
            logger.warning(
                "the admin token cannot be left in a file; writes need admin.tokenFile",
                [("address", "\(address)"), ("detail", .string(error.description))])
            return nil
        }
    }

    private static func shown(_ providers: Providers) -> [AdminService.Provider] {
        zip(providers.all, providers.settings).map { AdminService.Provider($0, hosts: $1.hosts) }
    }

    /// Shows these from now on.
    func adopt(_ providers: Providers, _ explainer: Explainer) {
        service.adopt(Self.shown(providers), explainer)
    }

    /// The certificate that clients have to trust, as PEM.
    func offerAuthority(_ pem: String) {
        service.offerAuthority(Array(pem.utf8))
        service.offerTrust { TrustKit.file(named: $0.rawValue, authorityPEM: pem) }
    }

    /// What `POST /v1/reload` does; nil when there is no proxy any more.
    func offerReload(_ reload: @escaping @Sendable () async -> ReloadOutcome?) {
        service.offerReload {
            switch await reload() {
            case .done(let changed, let warnings): .done(changed: changed, warnings: warnings)
            case .refused(let faults): .refused(faults)
            case nil: .refused(["the proxy is shutting down"])
            }
        }
    }

    /// What `POST /v1/drain` begins.
    func offerDrain(_ drain: @escaping @Sendable () -> Void) { service.offerDrain(drain) }

    func drains() { service.drains() }

    /// The file goes first: as long as the address is bound, nobody else's file has this name.
    func close() async {
        file?.remove()
        await server.stop()
        loop.stop()
    }
}

extension [UInt8] {
    fileprivate var hex: String {
        map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

internal import EventLoop
internal import TLS
internal import Telemetry

/// The protected origin, its token issuer and its control port, on one event loop of its own.
///
/// May be used from any thread. Starts once, stops once.
public final class EmulatorServer: Sendable {
    private let options: EmulatorOptions
    private let life = Lock(Life.new)

    private enum Life {
        case new
        case starting
        case running(EmulatorCore)
        case stopped
    }

    /// Nothing is bound before `start`.
    public init(options: EmulatorOptions = EmulatorOptions()) { self.options = options }

    /// Binds the four addresses, makes a certificate authority, and serves. Can be called once.
    ///
    /// The process ignores SIGPIPE from then on, and its limit of open descriptors is raised.
    public func start() async throws(EmulatorError) -> EmulatorAddresses {
        let isFirst = life.withLock { life in
            guard case .new = life else { return false }
            life = .starting
            return true
        }
        guard isFirst else { throw .startedBefore }
        let (context, pem) = try makeCertificates()
        let sockets = try Sockets(options)
        if let path = options.caFile { try PublicFile.write(pem, to: path) }
        let core = try makeCore()
        SignalWatcher.ignoreBrokenPipes()
        DescriptorLimit.raise()
        core.loop.start()
        life.withLock { $0 = .running(core) }
        let failure = await core.loop.run { () -> SystemError? in
            do throws(SystemError) {
                try core.listen(on: sockets.http, context: nil, respond: OriginService.respond)
                try core.listen(on: sockets.https, context: context, respond: OriginService.respond)
                try core.listen(on: sockets.issuer, context: nil, respond: IssuerService.respond)
                try core.listen(on: sockets.control, context: nil, respond: ControlService.respond)
                return nil
            } catch {
                return error
            }
        }
        if let failure {
            await stop()
            throw .listen(reason: failure)
        }
        return EmulatorAddresses(
            http: sockets.http.address, https: sockets.https.address, issuer: sockets.issuer.address,
            control: sockets.control.address, caPEM: pem, caFile: options.caFile)
    }

    /// Ends every connection and gives the addresses back. Idempotent.
    public func stop() async {
        let core = life.withLock { life -> EmulatorCore? in
            defer { life = .stopped }
            guard case .running(let core) = life else { return nil }
            return core
        }
        guard let core else { return }
        await core.loop.run { await core.stop() }
        core.loop.stop()
    }

    private func makeCore() throws(EmulatorError) -> EmulatorCore {
        let loop: EventLoop
        do throws(SystemError) {
            loop = try EventLoop(name: "emulator")
        } catch {
            throw .listen(reason: error)
        }
        let key = options.tokenKey ?? SecureRandom.bytes(32)
        return EmulatorCore(loop: loop, state: EmulatorState(defaults: options.defaults, tokenKey: key))
    }

    private func makeCertificates() throws(EmulatorError) -> (TLSContext, String) {
        do throws(TLSError) {
            let now = Int(WallClock.now().milliseconds / 1000)
            let authority = try CertificateAuthority(name: "waf-token-proxy emulator", now: now)
            var addresses = ["127.0.0.1", "::1"]
            for address in [options.https.host] + options.certificateAddresses where !addresses.contains(address) {
                addresses.append(address)
            }
            let identity = try authority.issueLeaf(
                dnsNames: options.allCertificateNames, ipAddresses: addresses, now: now)
            let context = try TLSContext(serverIdentity: identity, protocols: ["http/1.1"])
            return (context, try authority.certificate.pem())
        } catch {
            throw .certificate(reason: error.description)
        }
    }
}

/// The four bound sockets.
private struct Sockets {
    let http: BoundSocket
    let https: BoundSocket
    let issuer: BoundSocket
    let control: BoundSocket

    init(_ options: EmulatorOptions) throws(EmulatorError) {
        http = try Self.bind(options.http, "http")
        https = try Self.bind(options.https, "https")
        issuer = try Self.bind(options.issuer, "issuer")
        control = try Self.bind(options.control, "control")
    }

    private static func bind(_ address: SocketAddress, _ listener: String) throws(EmulatorError) -> BoundSocket {
        do throws(SystemError) {
            return try ListenerGroup.bind(address, count: 1)[0]
        } catch {
            throw .bind(listener: listener, address: address, reason: error)
        }
    }
}

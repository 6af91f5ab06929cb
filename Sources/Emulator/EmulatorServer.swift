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
        case running(EmulatorCore)
        case stopped
    }

    /// Nothing is bound before `start`.
    public init(options: EmulatorOptions = EmulatorOptions()) { self.options = options }

    /// Binds the four addresses, makes a certificate authority, and serves.
    public func start() async throws(EmulatorError) -> EmulatorAddresses {
        let (context, pem) = try makeCertificates()
        let http = try bind(options.http, "http")
        let https = try bind(options.https, "https")
        let issuer = try bind(options.issuer, "issuer")
        let control = try bind(options.control, "control")
        if let path = options.caFile { try PublicFile.write(pem, to: path) }

        let core = try makeCore()
        let isFirst = life.withLock { life in
            guard case .new = life else { return false }
            life = .running(core)
            return true
        }
        guard isFirst else { throw .startedBefore }
        core.loop.start()
        let failure = await core.loop.run { () -> SystemError? in
            do throws(SystemError) {
                try core.listen(on: http, context: nil, respond: OriginService.respond)
                try core.listen(on: https, context: context, respond: OriginService.respond)
                try core.listen(on: issuer, context: nil, respond: IssuerService.respond)
                try core.listen(on: control, context: nil, respond: ControlService.respond)
                return nil
            } catch {
                return error
            }
        }
        if let failure {
            await stop()
            throw .bind(listener: "listen", address: options.http, reason: failure)
        }
        return EmulatorAddresses(
            http: http.address, https: https.address, issuer: issuer.address, control: control.address, caPEM: pem,
            caFile: options.caFile)
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
            throw .bind(listener: "loop", address: options.http, reason: error)
        }
        let key = options.tokenKey ?? SecureRandom.bytes(32)
        return EmulatorCore(loop: loop, state: EmulatorState(defaults: options.defaults, tokenKey: key))
    }

    private func bind(_ address: SocketAddress, _ listener: String) throws(EmulatorError) -> BoundSocket {
        do throws(SystemError) {
            return try ListenerGroup.bind(address, count: 1)[0]
        } catch {
            throw .bind(listener: listener, address: address, reason: error)
        }
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

public import EventLoop
public import HTTP
internal import TLS
public import Telemetry

extension UpstreamClient {
    /// Opens a way to `target` through a parent. Must be called on the loop. The rules for destinations are the caller's.
    ///
    /// Throws `nameNotFound`, `refused`, `unreachable`, `connectTimeout`, `certificate`, `tls`, `parentDenied`,
    /// `parentRefused` or `destinationProhibited` for a parent that is the proxy itself; the sentences name the parent.
    ///
    /// - Parameter via: values of `Via` for an HTTP parent, the oldest first.
    public func openTunnel(
        to target: Authority, through parent: ParentProxy, via: [[UInt8]], within limit: DialLimit
    ) async throws(UpstreamError) -> Stream {
        let stream = try await dial(parent, limit)
        do throws(UpstreamError) {
            return try await limit.guarding(stream) { () async throws(UpstreamError) in
                if parent.kind == .https { stream.attach(TLSFilter(try await secure(stream, parent))) }
                switch parent.kind {
                case .socks5:
                    try await shake(stream, SOCKS5(parent: parent, target: target), parent)
                case .http, .https:
                    let handshake = ConnectHandshake(
                        parent: parent, target: target, via: via, headLimit: configuration.responseHeadBytes)
                    try await shake(stream, handshake, parent)
                }
                return stream
            }
        } catch {
            stream.close()
            throw limit.ending == nil ? error : late(parent)
        }
    }

    private func late(_ parent: ParentProxy) -> UpstreamError {
        UpstreamError(.connectTimeout, "The parent proxy \(parent) did not open the way in time.")
    }

    private func dial(_ parent: ParentProxy, _ limit: DialLimit) async throws(UpstreamError) -> Stream {
        let addresses: [SocketAddress]
        switch await limit.resolve(host: parent.host, port: parent.port) {
        case .success(let found): addresses = found
        case .failure: throw UpstreamError(.nameNotFound, "The parent proxy \(parent) cannot be reached.")
        case nil: throw late(parent)
        }
        var failure = UpstreamError(.refused, "The parent proxy \(parent) cannot be reached.")
        for address in addresses {
            if let reason = configuration.judgeParent(address) {
                failure = UpstreamError(.destinationProhibited, "\(address.host): \(reason)")
                continue
            }
            do throws(StreamError) {
                return try await limit.connect(to: address)
            } catch {
                if limit.ending != nil { throw late(parent) }
                if case .failed(let cause) = error, !cause.isConnectionRefused {
                    failure = UpstreamError(.unreachable, "The parent proxy \(parent) cannot be reached.")
                }
            }
        }
        throw failure
    }

    /// TLS with the parent, whose certificate is verified as an origin's is.
    private func secure(_ stream: Stream, _ parent: ParentProxy) async throws(UpstreamError) -> TLSSession {
        let session: TLSSession
        let verification: PeerVerification?
        do throws(TLSError) {
            let isVerified = configuration.verifies(Authority(host: parent.host, port: parent.port))
            let context = try TLSContext(trustingFile: trust.file, directory: trust.directory, isVerified: isVerified)
            verification = PeerVerification(watching: context)
            session = try TLSSession(context: context, peerName: parent.host)
        } catch {
            throw UpstreamError(.internal, "TLS with the parent proxy \(parent) cannot begin: \(error)")
        }
        while true {
            let step: TLSSession.HandshakeStep
            do throws(TLSError) {
                step = try session.handshake(over: stream)
            } catch {
                if error.code == .certificate {
                    let reason = verification?.reason(askedFor: parent.host) ?? error.detail
                    throw UpstreamError(.certificate, "Parent proxy: \(reason)")
                }
                throw UpstreamError(.tls, "TLS with the parent proxy \(parent) failed: \(error)")
            }
            if step == .done { return session }
            if await !receives(from: stream) { session.feedEnd() }
        }
    }

    private func receives(from stream: Stream) async -> Bool {
        do throws(StreamError) { return try await stream.receive() } catch { return false }
    }

    /// Says what has to be said until the way is open.
    private func shake(
        _ stream: Stream, _ handshake: some ParentHandshake, _ parent: ParentProxy
    ) async throws(UpstreamError) {
        var handshake = handshake
        stream.send(handshake.begin())
        while true {
            switch try handshake.take(stream.inbound) {
            case .done(let taken):
                return stream.consume(taken)
            case .send(let bytes, let taken):
                stream.consume(taken)
                if !bytes.isEmpty { stream.send(bytes) }
            case .needsInput:
                guard await receives(from: stream) else {
                    throw UpstreamError(
                        .parentRefused, "The parent proxy \(parent) ended the connection during CONNECT.")
                }
            }
        }
    }
}

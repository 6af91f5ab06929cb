internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream
internal import WAFTokens

/// Fetches tokens over HTTP for the providers, on a loop of the proxy and with an upstream client of its own: the
/// operator named the URL, so the rules for clients' destinations do not apply.
///
/// `Sendable` because any thread may name it, while the client is touched on its loop alone.
final class TokenFetcher: @unchecked Sendable {
    let loop: EventLoop
    private let leases: UpstreamLeases

    init(loop: EventLoop, configuration: UpstreamConfiguration) async throws(RunningProxy.Failure) {
        self.loop = loop
        leases = UpstreamLeases(try await Self.client(loop, configuration).client)
    }

    /// Fetches that begin from now on go by these settings.
    func adopt(_ client: ClientBox) async {
        await loop.run { [self] in leases.renew(client.client) }
    }

    /// A client for `adopt`; nothing is in use yet.
    static func client(
        _ loop: EventLoop, _ configuration: UpstreamConfiguration
    ) async throws(RunningProxy.Failure) -> ClientBox {
        var configuration = configuration
        configuration.maxConnections = 16
        let settings = configuration
        let result: Result<ClientBox, UpstreamError> = await loop.run {
            do throws(UpstreamError) {
                return .success(ClientBox(try UpstreamClient(loop: loop, configuration: settings)))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let box): return box
        case .failure(let error): throw .settings(error.detail)
        }
    }

    func stop() async {
        await loop.run { [self] in leases.shutdown() }
    }

    /// `allowsPlainHTTP`: whether a plain http URL may lead to a public address.
    func fetch(
        _ request: HTTPTokenSource.Request, allowsPlainHTTP: Bool
    ) async throws(SourceError) -> HTTPTokenSource.Response {
        let fetch = FetchRequest(
            url: request.url, method: request.method,
            headers: request.headers.map { ($0.name, $0.value.reveal()) }, body: request.body?.reveal(),
            timeout: request.timeout, maxBytes: request.maximumBytes, requiresPrivatePeer: !allowsPlainHTTP)
        let result: Result<FetchResponse, UpstreamError> = await loop.run { [self] in
            let lease = leases.current
            defer { withExtendedLifetime(lease) {} }
            do throws(UpstreamError) { return .success(try await lease.client.fetch(fetch)) } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let answer):
            return HTTPTokenSource.Response(status: answer.status, fields: answer.fields.pairs, body: answer.body)
        case .failure(let error):
            throw error.asSourceError
        }
    }
}

extension Fields {
    fileprivate var pairs: [(name: String, value: [UInt8])] {
        (0..<count).map { index in
            let name = name(index).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
            return (name, value(index).withUnsafeBufferPointer { Array($0) })
        }
    }
}

extension UpstreamError {
    fileprivate var asSourceError: SourceError {
        switch code {
        case .connectTimeout, .responseTimeout, .deadlineExceeded:
            SourceError(.socketTimeoutException, "the token service did not answer in time")
        case .tooLarge:
            SourceError(.invalidVerifyChallengeResponse, Escaper.escape(detail))
        default:
            SourceError(.errorInvokingGetChallengeEndpoint, Escaper.escape(detail))
        }
    }
}

/// Carries a client from the loop that made it to the object that names it.
final class ClientBox: @unchecked Sendable {
    let client: UpstreamClient
    init(_ client: UpstreamClient) { self.client = client }
}

internal import EventLoop
internal import HTTP
internal import Upstream
internal import WAFTokens

/// Fetches tokens over HTTP for the providers, on a loop of the proxy and with an upstream client of its own: the
/// operator named the URL, so the rules for clients' destinations do not apply.
final class TokenFetcher: @unchecked Sendable {
    // Sendable because the client is only touched on its loop.
    let loop: EventLoop
    private let client: UpstreamClient

    init(loop: EventLoop, configuration: UpstreamConfiguration) async throws(RunningProxy.Failure) {
        self.loop = loop
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
        case .success(let box): client = box.client
        case .failure(let error): throw .settings(error.detail)
        }
    }

    func stop() async {
        await loop.run { [self] in client.shutdown() }
    }

    /// `allowPlainHTTP`: whether a plain http URL may lead to a public address.
    func fetch(
        _ request: HTTPTokenRequest, allowPlainHTTP: Bool
    ) async throws(SourceError) -> HTTPTokenResponse {
        let fetch = FetchRequest(
            url: request.url, method: request.method, headers: request.headers, body: request.body,
            timeout: request.timeout, maxBytes: 64 * 1024, requiresPrivatePeer: !allowPlainHTTP)
        let result: Result<HTTPTokenResponse, UpstreamError> = await loop.run { [self] in
            do throws(UpstreamError) {
                return .success(HTTPTokenResponse(try await client.fetch(fetch)))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let response): return response
        case .failure(let error): throw error.asSourceError
        }
    }
}

/// Carries a client from the loop that made it to the object that names it.
private final class ClientBox: @unchecked Sendable {
    let client: UpstreamClient
    init(_ client: UpstreamClient) { self.client = client }
}

import EventLoop
import HTTP
import Telemetry
import WAFTokens

@testable import Admin

/// A request as a client would send it to `127.0.0.1:8081`.
func request(
    _ method: HTTP.Method, _ target: String, host: String? = "127.0.0.1:8081", token: String? = nil,
    type: String? = nil, body: String = ""
) -> AdminRequest {
    var request = AdminRequest()
    let parts = target.split(separator: "?", maxSplits: 1)
    request.method = method
    request.path = String(parts[0])
    request.query = parts.count > 1 ? String(parts[1]) : ""
    request.host = host
    request.authorization = token.map { "Bearer \($0)" }
    request.contentType = type
    request.body = Array(body.utf8)
    return request
}

func gate(_ ip: String = "127.0.0.1", token: String = "s3cret") -> AdminGate {
    AdminGate(address: .ip(SocketAddress(ip: ip, port: 8081)!), token: Redacted(Array(token.utf8)))
}

extension JSONValue {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A world in which time stands still: what holds at the start of a test holds at its end, however late that comes.
func stillWorld() -> ProviderEnvironment {
    let moment = Moment.now()
    var environment = ProviderEnvironment()
    environment.now = { moment }
    return environment
}

/// Gives one token after the other, `t-1`, `t-2`, or fails.
struct CountingSource: TokenSource {
    let count = Lock(0)
    var fails = false

    func fetch(_ request: SourceRequest) async throws(SourceError) -> SourceAnswer {
        if fails { throw SourceError(.internalError, "it is broken") }
        let number = count.withLock { count in
            count += 1
            return count
        }
        return SourceAnswer(token: try! WAFToken("t-\(number)"))
    }
}

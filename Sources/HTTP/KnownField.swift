/// Field names that some rule looks for, recognised once when a field is added.
public enum KnownField: UInt8, Sendable, CaseIterable {
    case other
    case te, via, date
    case host, accept, cookie, expect, server, origin
    case trailer, upgrade
    case location, connection, forwarded
    case keepAlive, setCookie, userAgent
    case contentType, retryAfter
    case proxyStatus
    case authorization, contentLength, acceptEncoding
    case xAwsWafToken, proxyConnection, http2Settings, xAmznWafAction, transferEncoding,
        secWebSocketKey
    case proxyAuthenticate, proxyAuthorization, accessControlRequestMethod

    /// In lower case.
    var name: StaticString {
        switch self {
        case .other: ""
        case .te: "te"
        case .via: "via"
        case .date: "date"
        case .host: "host"
        case .accept: "accept"
        case .cookie: "cookie"
        case .expect: "expect"
        case .server: "server"
        case .origin: "origin"
        case .trailer: "trailer"
        case .upgrade: "upgrade"
        case .location: "location"
        case .connection: "connection"
        case .forwarded: "forwarded"
        case .keepAlive: "keep-alive"
        case .setCookie: "set-cookie"
        case .userAgent: "user-agent"
        case .contentType: "content-type"
        case .retryAfter: "retry-after"
        case .proxyStatus: "proxy-status"
        case .authorization: "authorization"
        case .contentLength: "content-length"
        case .acceptEncoding: "accept-encoding"
        case .xAwsWafToken: "x-aws-waf-token"
        case .proxyConnection: "proxy-connection"
        case .http2Settings: "http2-settings"
        case .xAmznWafAction: "x-amzn-waf-action"
        case .transferEncoding: "transfer-encoding"
        case .secWebSocketKey: "sec-websocket-key"
        case .proxyAuthenticate: "proxy-authenticate"
        case .proxyAuthorization: "proxy-authorization"
        case .accessControlRequestMethod: "access-control-request-method"
        }
    }

    /// Names by their length: at most six to compare with.
    private static let byLength: [[KnownField]] = {
        let longest = allCases.map(\.name.utf8CodeUnitCount).max() ?? 0
        return (0...longest).map { length in
            allCases.filter { $0 != .other && $0.name.utf8CodeUnitCount == length }
        }
    }()

    /// The field that `name` is, whatever its case.
    public init(_ name: Span<UInt8>) {
        let table = Self.byLength
        if name.count < table.count {
            for candidate in table[name.count] where name.equalsIgnoringCase(candidate.name) {
                self = candidate
                return
            }
        }
        self = .other
    }
}

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
    case xAwsWafToken, proxyConnection, http2Settings, xAmznWafAction, transferEncoding, secWebSocketKey
    case proxyAuthenticate, proxyAuthorization, proxyAuthenticationInfo, accessControlRequestMethod

    /// In lower case.
    public var name: StaticString {
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
        case .proxyAuthenticationInfo: "proxy-authentication-info"
        case .accessControlRequestMethod: "access-control-request-method"
        }
    }

    /// The field that `name` is, whatever its case.
    public init(_ name: Span<UInt8>) {
        self =
            switch name.count {
            case 2: Self.match(name, .te)
            case 3: Self.match(name, .via)
            case 4: Self.match(name, .host, .date)
            case 6: Self.match(name, .accept, .cookie, .server, .expect, .origin)
            case 7: Self.match(name, .upgrade, .trailer)
            case 8: Self.match(name, .location)
            case 9: Self.match(name, .forwarded)
            case 10: Self.match(name, .connection, .userAgent, .keepAlive, .setCookie)
            case 11: Self.match(name, .retryAfter)
            case 12: Self.match(name, .contentType, .proxyStatus)
            case 13: Self.match(name, .authorization)
            case 14: Self.match(name, .contentLength, .http2Settings)
            case 15: Self.match(name, .acceptEncoding, .xAwsWafToken)
            case 16: Self.match(name, .proxyConnection)
            case 17: Self.match(name, .transferEncoding, .xAmznWafAction, .secWebSocketKey)
            case 18: Self.match(name, .proxyAuthenticate)
            case 19: Self.match(name, .proxyAuthorization)
            case 25: Self.match(name, .proxyAuthenticationInfo)
            case 29: Self.match(name, .accessControlRequestMethod)
            default: .other
            }
    }

    @inline(__always)
    private static func match(
        _ name: Span<UInt8>, _ first: KnownField, _ second: KnownField = .other, _ third: KnownField = .other,
        _ fourth: KnownField = .other, _ fifth: KnownField = .other
    ) -> KnownField {
        if name.equalsIgnoringCase(first.name) { return first }
        if second != .other, name.equalsIgnoringCase(second.name) { return second }
        if third != .other, name.equalsIgnoringCase(third.name) { return third }
        if fourth != .other, name.equalsIgnoringCase(fourth.name) { return fourth }
        if fifth != .other, name.equalsIgnoringCase(fifth.name) { return fifth }
        return .other
    }
}

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
    case proxyAuthenticate, proxyAuthorization, proxyAuthenticationInfo, accessControlRequestMethod

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
        case .proxyAuthenticationInfo: "proxy-authentication-info"
        case .accessControlRequestMethod: "access-control-request-method"
        }
    }

    /// The field that `name` is, whatever its case.
    public init(_ name: Span<UInt8>) {
        guard name.count > 1 else {
            self = .other
            return
        }
        let candidate = Self.candidate(length: name.count, first: lowercased(name[0]))
        self = name.equalsIgnoringCase(candidate.name) ? candidate : .other
    }

    /// No two names have both their length and their first letter in common.
    @inline(__always)
    private static func candidate(length: Int, first: UInt8) -> KnownField {
        switch (length, first) {
        case (2, UInt8(ascii: "t")): .te
        case (3, UInt8(ascii: "v")): .via
        case (4, UInt8(ascii: "d")): .date
        case (4, UInt8(ascii: "h")): .host
        case (6, UInt8(ascii: "a")): .accept
        case (6, UInt8(ascii: "c")): .cookie
        case (6, UInt8(ascii: "e")): .expect
        case (6, UInt8(ascii: "o")): .origin
        case (6, UInt8(ascii: "s")): .server
        case (7, UInt8(ascii: "t")): .trailer
        case (7, UInt8(ascii: "u")): .upgrade
        case (8, UInt8(ascii: "l")): .location
        case (9, UInt8(ascii: "f")): .forwarded
        case (10, UInt8(ascii: "c")): .connection
        case (10, UInt8(ascii: "k")): .keepAlive
        case (10, UInt8(ascii: "s")): .setCookie
        case (10, UInt8(ascii: "u")): .userAgent
        case (11, UInt8(ascii: "r")): .retryAfter
        case (12, UInt8(ascii: "c")): .contentType
        case (12, UInt8(ascii: "p")): .proxyStatus
        case (13, UInt8(ascii: "a")): .authorization
        case (14, UInt8(ascii: "c")): .contentLength
        case (14, UInt8(ascii: "h")): .http2Settings
        case (15, UInt8(ascii: "a")): .acceptEncoding
        case (15, UInt8(ascii: "x")): .xAwsWafToken
        case (16, UInt8(ascii: "p")): .proxyConnection
        case (17, UInt8(ascii: "s")): .secWebSocketKey
        case (17, UInt8(ascii: "t")): .transferEncoding
        case (17, UInt8(ascii: "x")): .xAmznWafAction
        case (18, UInt8(ascii: "p")): .proxyAuthenticate
        case (19, UInt8(ascii: "p")): .proxyAuthorization
        case (25, UInt8(ascii: "p")): .proxyAuthenticationInfo
        case (29, UInt8(ascii: "a")): .accessControlRequestMethod
        default: .other
        }
    }

    /// A set of names, one bit each.
    typealias Mask = UInt64

    @inline(__always)
    var mask: Mask { 1 << Mask(rawValue) }
}

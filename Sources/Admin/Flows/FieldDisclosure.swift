internal import HTTP
internal import Telemetry

/// Which field values operators see in a HAR. Pure.
///
/// A list of what is known to be harmless, not of what is known to be secret: keys and sessions come under names of
/// their owners' choice.
enum FieldDisclosure {
    /// What stands in the place of a value that is not shown.
    static let hidden = "[redacted]"

    /// The value as it may be shown: escaped, URLs without their query.
    static func value(of name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> String {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        if urls.contains(name) {
            return Escaper.escape(value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }, limit: limit)
        }
        return shown.contains(name) ? Escaper.escape(value, limit: limit) : hidden
    }

    private static let limit = 1000

    private static let urls: Set<String> = ["location", "content-location", "referer", "origin"]

    private static let shown: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "accept-patch", "accept-post",
        "accept-ranges", "access-control-allow-credentials", "access-control-allow-headers",
        "access-control-allow-methods", "access-control-allow-origin", "access-control-expose-headers",
        "access-control-max-age", "access-control-request-headers", "access-control-request-method", "age", "allow",
        "alt-svc", "cache-control", "connection", "content-disposition", "content-encoding", "content-language",
        "content-length", "content-range", "content-type", "date", "dnt", "etag", "expect", "expires", "host",
        "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive",
        "last-modified", "max-forwards", "pragma", "priority", "proxy-status", "range", "retry-after",
        "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "sec-fetch-user", "sec-gpc", "server", "server-timing",
        "strict-transport-security", "te", "trailer", "transfer-encoding", "upgrade", "upgrade-insecure-requests",
        "user-agent", "vary", "via", "x-amzn-waf-action", "x-content-type-options", "x-frame-options",
        "x-waf-token-proxy",
    ]
}

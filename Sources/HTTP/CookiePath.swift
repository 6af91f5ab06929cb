/// Path matching of cookies (RFC 6265 §5.1.4).
public enum CookiePath {
    /// Whether a request for `target` (path and query) lies under `path`, which begins with `/`.
    public static func matches(_ target: Span<UInt8>, path: Span<UInt8>) -> Bool {
        var end = 0
        while end < target.count, target[end] != UInt8(ascii: "?") { end += 1 }
        if end == 0 { return path.count == 1 }  // an empty path is `/`
        guard end >= path.count, target.extracting(0..<path.count).equals(path) else { return false }
        return end == path.count || path[path.count - 1] == UInt8(ascii: "/")
            || target[path.count] == UInt8(ascii: "/")
    }
}

/// Path matching of cookies (RFC 6265 §5.1.4).
public enum CookiePath {
    /// Whether a request for `target` (path and query) lies under `path`, which begins with `/`.
    public static func matches(_ target: Span<UInt8>, path: Span<UInt8>) -> Bool {
        let end = target.firstIndex(of: UInt8(ascii: "?"), in: 0..<target.count)
        if end == 0 { return path.equals("/") }  // an empty path is `/`
        guard path.count > 0, end >= path.count, target.extracting(0..<path.count).equals(path) else { return false }
        return end == path.count || path[path.count - 1] == UInt8(ascii: "/")
            || target[path.count] == UInt8(ascii: "/")
    }
}

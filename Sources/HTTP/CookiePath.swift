/// Path matching of cookies (RFC 6265 §5.1.4).
public enum CookiePath {
    /// Whether a request for `target` (path and query) lies under `path`. An empty path is `/`, on either side.
    public static func matches(_ target: Span<UInt8>, path: Span<UInt8>) -> Bool {
        let isRoot = path.count == 0 || (path.count == 1 && path[0] == UInt8(ascii: "/"))
        if isRoot { return true }
        let end = target.firstIndex(of: UInt8(ascii: "?"), in: 0..<target.count)
        guard end >= path.count, target.extracting(first: path.count).equals(path) else { return false }
        return end == path.count || path[path.count - 1] == UInt8(ascii: "/")
            || target[path.count] == UInt8(ascii: "/")
    }
}

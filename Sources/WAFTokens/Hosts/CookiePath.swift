/// Path-match of RFC 6265 §5.1.4.
enum CookiePath {
    /// Whether a request for `path` (with or without its query) gets a cookie that is for `cookiePath`: `/web/login`
    /// covers itself and `/web/login/help`, not `/web/loginx`.
    static func covers(_ path: Span<UInt8>, cookiePath: borrowing [UInt8]) -> Bool {
        let count = cookiePath.count
        let end = pathEnd(path)
        guard count > 0 else { return true }
        guard end >= count else { return count == 1 && end == 0 }
        for index in 0..<count where path[index] != cookiePath[index] { return false }
        return end == count || cookiePath[count - 1] == UInt8(ascii: "/") || path[count] == UInt8(ascii: "/")
    }

    /// Whether it may be a cookie's path: begins with a slash, no control bytes, no `;`.
    static func isValid(_ path: String) -> Bool {
        path.utf8.first == UInt8(ascii: "/")
            && path.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ";") }
    }

    private static func pathEnd(_ target: Span<UInt8>) -> Int {
        for index in 0..<target.count {
            switch target[index] {
            case UInt8(ascii: "?"), UInt8(ascii: "#"): return index
            default: continue
            }
        }
        return target.count
    }
}

/// What the program is called, and which one it is.
public enum Product {
    /// Name of the executable.
    public static let name = "waf-token-proxy"
    /// Semantic version.
    public static let version = "0.1.0"
    /// When it was made, for the man page.
    static let date = "2026-12-01"
}

/// What the program is called, and which one it is.
public enum Product {
    /// Name of the executable.
    public static let name = "waf-token-proxy"
    /// Semantic version.
    public static let version = "0.1.0"
}

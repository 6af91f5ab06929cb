@preconcurrency import Glibc

/// The variables this process was started with.
public enum ProcessEnvironment {
    /// Whether a variable is a setting of ours, such as a token: other programs have no business with it.
    public static func isSetting(_ name: String) -> Bool { VariableReader.isOurs(name) }

    /// All of them; call it before other threads run (environ(7)).
    public static func current() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return variables
    }
}

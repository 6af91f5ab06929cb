/// How clients are told of the proxy: what `env`, `exec` and `ca trust-kit` need to know.
public struct ClientSetupSettings: Sendable, Equatable {
    /// `HOST:PORT` under which clients reach the proxy; nil: where it listens.
    public var proxy: String?
    /// Folder of the trust kit as clients see it.
    public var trustKit: String?
    /// What clients reach without the proxy, besides what the variable holds already.
    public var noProxy = ["localhost", "127.0.0.1", "::1"]
    /// The variable that Java reads.
    public var java = JavaVariable.toolOptions
    /// How `env` writes.
    public var format = VariableFormat.sh
    /// Whether `exec` fails when a challenge stays unresolved.
    public var failOnUnresolvedChallenge = false

    /// The defaults.
    public init() {}
}

/// The variable by which Java is told.
public enum JavaVariable: String, Sendable, CaseIterable {
    /// Read by every Java virtual machine, also one that another program embeds.
    case toolOptions = "JAVA_TOOL_OPTIONS"
    /// Read by the `java` command since Java 9.
    case launcherOptions = "JDK_JAVA_OPTIONS"
    /// Java is left alone.
    case none
}

/// The ways in which `env` writes variables.
public enum VariableFormat: String, Sendable, CaseIterable {
    /// `export` lines for a POSIX shell.
    case sh
    /// `set -gx` lines.
    case fish
    /// `$env:` lines.
    case powershell
    /// A `.env` file, as Docker Compose and python-dotenv read it.
    case dotenv
    /// A file for `docker run --env-file`.
    case docker
    /// Lines to append to `$GITHUB_ENV`.
    case github
    /// One JSON object.
    case json
}

/// What the program ends with.
public enum ExitCode: Int32, Sendable {
    /// All went well.
    case success = 0
    /// The thing asked for failed.
    case failure = 1
    /// Bad usage or configuration.
    case usage = 2
    /// Could not bind or reach.
    case unavailable = 69
    /// A fault of the program's own.
    case `internal` = 70
    /// Ended by SIGINT during start.
    case interrupted = 130
    /// Ended by SIGTERM during start.
    case terminated = 143
}

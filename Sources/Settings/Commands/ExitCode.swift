/// What the program ends with.
public enum ExitCode: Int32, Sendable, CaseIterable {
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

    /// For the man page.
    var meaning: String {
        switch self {
        case .success: "All went well, also after a first SIGTERM or SIGINT."
        case .failure: "The thing asked for failed (demo --once, ready, token), or what it prints could not be written."
        case .usage: "Bad usage or configuration; each line on standard error names one fault."
        case .unavailable: "Could not listen, no proxy answers, or there are too few file descriptors."
        case .internal: "A fault of the program."
        case .interrupted: "After a second SIGINT."
        case .terminated: "After a second SIGTERM."
        }
    }
}

import Glibc

/// How a line of the log looks.
public enum LogFormat: Sendable, Equatable {
    /// For people: `12:00:00.123 info message key=value`.
    case text
    /// For machines: one JSON object a line.
    case json

    /// Text on a terminal, JSON everywhere else (isatty(3)).
    public static func automatic(for descriptor: Int32) -> LogFormat {
        isatty(descriptor) == 1 ? .text : .json
    }
}

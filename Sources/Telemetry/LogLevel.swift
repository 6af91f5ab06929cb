/// How much a line of the log matters, in rising order.
public enum LogLevel: UInt8, Sendable, CaseIterable, Comparable {
    /// Every step.
    case trace
    /// What helps to find a fault.
    case debug
    /// What an operator wants to see: starts, stops, tokens, one line a request.
    case info
    /// Works, but somebody should look.
    case warning
    /// Does not work.
    case error

    /// The level's name as it stands in the configuration and in the log.
    public var name: StaticString {
        switch self {
        case .trace: "trace"
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }

    /// Orders by importance.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

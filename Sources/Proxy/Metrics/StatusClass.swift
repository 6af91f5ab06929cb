/// The first digit of a status, as `requests_total` counts it: a fixed set.
public enum StatusClass: Int, Sendable, CaseIterable {
    /// No status was sent.
    case none
    case informational, successful, redirection, clientError, serverError
    /// What HTTP does not define (RFC 9110 §15).
    case other

    /// The class of `status`; 0 stands for no status.
    public init(_ status: Int) {
        self = status == 0 ? .none : StatusClass(rawValue: status / 100).flatMap { $0 == .none ? nil : $0 } ?? .other
    }

    /// `2xx`
    public var label: String {
        switch self {
        case .none: "none"
        case .informational: "1xx"
        case .successful: "2xx"
        case .redirection: "3xx"
        case .clientError: "4xx"
        case .serverError: "5xx"
        case .other: "other"
        }
    }
}

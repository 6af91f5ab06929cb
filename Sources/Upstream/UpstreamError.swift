/// Why an exchange with an origin failed. Equal by code; the detail is for a person.
public struct UpstreamError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, as a value that callers switch over.
    public enum Code: String, Sendable, CaseIterable {
        /// The name has no address (getaddrinfo(3)).
        case nameNotFound
        /// The peer refused the connection (ECONNREFUSED).
        case refused
        /// No way to the address (ENETUNREACH, EHOSTUNREACH).
        case unreachable
        /// No connection, TLS included, within `connectTimeout`.
        case connectTimeout
        /// No response head within `responseHeadTimeout` of the last request byte.
        case responseTimeout
        /// The caller's own limit for the whole exchange passed (`fetch`).
        case deadlineExceeded
        /// The peer's certificate is not trusted, or is for another name.
        case certificate
        /// TLS failed in another way.
        case tls
        /// The connection ended before a response head was whole.
        case closedEarly
        /// The connection ended, or the framing broke, after the head and before the end of the body.
        case bodyBroken
        /// What the origin sent is not a response, or is ambiguous.
        case malformedResponse
        /// `judgeDestination`, or the request's own rule, forbids the address that the name leads to.
        case destinationProhibited
        /// The request may go to private addresses only, and the connected one is public.
        case clearTextRefused
        /// The pooled connection died and the method is not idempotent (RFC 9110 §9.2.2).
        case resendRefused
        /// A parent proxy wants other credentials than it got.
        case parentDenied
        /// A parent proxy does not open the way to the origin.
        case parentRefused
        /// The answer is larger than the caller allows (`fetch`).
        case tooLarge
        /// We ended it: `cancel`, or the client shut down.
        case cancelled
        /// The request cannot be put into libcurl, or libcurl failed in a way that nobody expects.
        case `internal`
    }

    /// Whose fault it is.
    public enum Side: String, Sendable {
        case client, upstream, `internal`
    }

    public let code: Code
    /// One sentence for a person. May hold bytes that came from the network: escape it before it goes anywhere.
    public let detail: String

    /// An error with a sentence that says what happened.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Whose fault it is.
    public var side: Side {
        switch code {
        case .destinationProhibited, .clearTextRefused, .cancelled: .client
        case .internal: .internal
        case .nameNotFound, .refused, .unreachable, .connectTimeout, .responseTimeout, .deadlineExceeded, .certificate,
            .tls, .closedEarly, .bodyBroken, .malformedResponse, .resendRefused, .parentDenied, .parentRefused,
            .tooLarge:
            .upstream
        }
    }

    /// Whether no byte of the request can have reached an application, so that any method may be sent again.
    public var mayRetry: Bool {
        switch code {
        case .nameNotFound, .refused, .unreachable, .connectTimeout: true
        case .responseTimeout, .deadlineExceeded, .certificate, .tls, .closedEarly, .bodyBroken, .malformedResponse,
            .destinationProhibited, .clearTextRefused, .resendRefused, .parentDenied, .parentRefused, .tooLarge,
            .cancelled,
            .internal:
            false
        }
    }

    public static func == (left: UpstreamError, right: UpstreamError) -> Bool { left.code == right.code }

    public var description: String { "\(code.rawValue): \(detail)" }
}

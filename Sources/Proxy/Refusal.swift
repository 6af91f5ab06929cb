internal import EventLoop
internal import HTTP
internal import Upstream
internal import WAFTokens

/// Why the proxy answers a request itself. One case per row of the answer table (`AnswerTable`).
enum Refusal: Sendable {
    /// The request cannot be parsed or is ambiguous.
    case malformedRequest(HTTPError)
    /// The head did not come whole in time.
    case headTooSlow
    /// An origin-form or asterisk target: the client talks to us as if we were the origin.
    case notAProxyRequest
    /// Inside a tunnel: another authority than the tunnel's.
    case misdirected
    case clientNotAllowed
    /// Only known users are served, and the request names none.
    case userMissing
    /// The request names a user with a wrong password, or nobody who is known.
    case userWrong
    case tooManyVerifications
    case destinationProhibited(DestinationRules.Verdict)
    /// Our own `Via` was in the request.
    case loop
    case noToken(ReasonCode)
    case clearTextRefused
    /// A challenge that stayed unresolved while the operator wants an error for that.
    case unresolvedChallenge(ReasonCode)
    case nameNotFound(ResolveError)
    case dialFailed(StreamError)
    case upstream(UpstreamError)
    /// The client left in the middle of its request: nobody is there to read an answer.
    case clientGone
    case tooManyConnections
    case tooManyTunnels
    case shuttingDown
}

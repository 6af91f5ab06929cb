internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream
internal import WAFTokens

/// One answer that the proxy makes itself.
struct OwnAnswer {
    let status: Int
    /// The error type of RFC 9209 §2.3; nil where none fits.
    var error: StaticString?
    /// `details` of `Proxy-Status`: a reason code or a sentence.
    let details: String
    /// The sentence in the body.
    let sentence: String
    /// Seconds in `Retry-After`; nil for none.
    var retryAfter: Int?
    /// Whether the connection cannot be used after it, because it is unclear where the next request begins.
    var losesFraming = false
}

/// The one place that turns errors into answers.
enum AnswerTable {
    static func answer(for refusal: Refusal) -> OwnAnswer {
        switch refusal {
        case .malformedRequest(let fault):
            OwnAnswer(
                status: fault.status, error: "http_request_error", details: fault.reason.description,
                sentence: "The request cannot be understood: \(fault.reason).", losesFraming: fault.framingLost)
        case .headTooSlow:
            OwnAnswer(
                status: 408, error: "http_request_error", details: "request head incomplete",
                sentence: "The request head did not come whole in time.", losesFraming: true)
        case .notAProxyRequest:
            OwnAnswer(
                status: 400, error: "http_request_error", details: "not a proxy request",
                sentence: "This is a forward proxy: set HTTP_PROXY to this address instead of sending requests to it.")
        case .misdirected:
            OwnAnswer(
                status: 421, error: "http_request_denied", details: "authority differs from the tunnel's",
                sentence: "The request is for another authority than the tunnel that it came through.")
        case .clientNotAllowed:
            OwnAnswer(
                status: 403, error: "http_request_denied", details: "client address not allowed",
                sentence: "Clients from this address are not served (access.allowFrom).", losesFraming: true)
        case .userMissing:
            OwnAnswer(
                status: 407, details: "proxy user missing",
                sentence: "This proxy is for known users only: give it a name and a password (access.proxyUsersFile).")
        case .userWrong:
            OwnAnswer(
                status: 407, details: "proxy user not admitted",
                sentence: "This proxy does not admit this name with this password (access.proxyUsersFile).")
        case .tooManyVerifications:
            OwnAnswer(
                status: 503, error: "connection_limit_reached", details: "too many passwords to verify",
                sentence: "There are too many passwords to verify.", retryAfter: 1)
        case .destinationProhibited(let verdict):
            OwnAnswer(
                status: 403, error: "destination_ip_prohibited", details: verdict.sentence.description,
                sentence: "Not allowed: \(verdict.sentence).")
        case .loop:
            OwnAnswer(
                status: 508, error: "proxy_loop_detected", details: "own Via seen",
                sentence: "The request has passed this proxy before.")
        case .noToken(let reason):
            OwnAnswer(
                status: 503, error: "proxy_internal_response", details: reason.rawValue,
                sentence: "There is no token for this host: \(reason.rawValue).", retryAfter: 5)
        case .clearTextRefused:
            clearTextRefused
        case .unresolvedChallenge(let reason):
            OwnAnswer(
                status: 502, error: "proxy_internal_response", details: reason.rawValue,
                sentence: "The endpoint's challenge stayed unresolved: \(reason.rawValue).")
        case .nameNotFound(let failure):
            OwnAnswer(
                status: 502, error: "dns_error", details: Escaper.escape(failure.description),
                sentence: "The host's name cannot be looked up: \(Escaper.escape(failure.description)).")
        case .dialFailed(let failure):
            answer(forDial: failure)
        case .upstream(let failure):
            answer(for: failure)
        case .clientGone:
            OwnAnswer(
                status: 400, error: "http_request_error", details: "client left", sentence: "The client left.",
                losesFraming: true)
        case .tooManyConnections:
            OwnAnswer(
                status: 503, error: "connection_limit_reached", details: "too many client connections",
                sentence: "There are too many connections (limits.connections).", retryAfter: 1, losesFraming: true)
        case .tooManyTunnels:
            OwnAnswer(
                status: 503, error: "connection_limit_reached", details: "too many tunnels",
                sentence: "There are too many tunnels (limits.tunnels).", retryAfter: 1)
        case .shuttingDown:
            OwnAnswer(
                status: 503, error: "proxy_internal_response", details: "shutting down",
                sentence: "The proxy is shutting down.", losesFraming: true)
        }
    }

    private static var clearTextRefused: OwnAnswer {
        OwnAnswer(
            status: 403, error: "http_request_denied", details: ReasonCode.clearTextRefused.rawValue,
            sentence: "The token does not travel over plain http to a public address; "
                + "use https, or set allowPlainHTTP or upgradeToTLS for this provider.")
    }

    private static func answer(forDial failure: StreamError) -> OwnAnswer {
        switch failure {
        case .timedOut:
            OwnAnswer(
                status: 504, error: "connection_timeout", details: "connect timed out",
                sentence: "The host did not answer in time (upstream.connectTimeoutMsec).")
        case .closed:
            OwnAnswer(
                status: 503, error: "proxy_internal_response", details: "shutting down",
                sentence: "The proxy is shutting down.")
        case .failed(let cause):
            OwnAnswer(
                status: 502, error: cause.isConnectionRefused ? "connection_refused" : "destination_ip_unroutable",
                details: cause.description, sentence: "The host cannot be reached: \(cause).")
        }
    }

    private static func answer(for failure: UpstreamError) -> OwnAnswer {
        func row(_ status: Int, _ error: StaticString) -> OwnAnswer {
            let text = Escaper.escape(failure.detail)
            return OwnAnswer(status: status, error: error, details: text, sentence: text)
        }
        return switch failure.code {
        case .nameNotFound: row(502, "dns_error")
        case .refused: row(502, "connection_refused")
        case .unreachable: row(502, "destination_ip_unroutable")
        case .connectTimeout: row(504, "connection_timeout")
        case .responseTimeout, .deadlineExceeded: row(504, "http_response_timeout")
        case .certificate: row(502, "tls_certificate_error")
        case .tls: row(502, "tls_protocol_error")
        case .closedEarly, .bodyBroken: row(502, "http_response_incomplete")
        case .malformedResponse: row(502, "http_protocol_error")
        case .destinationProhibited: row(403, "destination_ip_prohibited")
        case .clearTextRefused: clearTextRefused
        case .parentDenied: row(502, "proxy_configuration_error")
        case .parentRefused: row(502, "destination_unavailable")
        case .resendRefused: row(502, "connection_terminated")
        case .tooLarge: row(502, "http_response_header_section_size")
        case .cancelled: row(503, "proxy_internal_response")
        case .internal: row(502, "proxy_internal_error")
        }
    }
}

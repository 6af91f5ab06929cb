internal import HTTP

/// What of a request matters for the rules.
struct ProtectedRequest {
    var method: Method
    /// Without the query.
    var path: String
    /// Lower case, without the port.
    var host: String
    /// Whether `Accept` names `text/html`.
    var acceptsHTML: Bool
    var token: PresentedToken
}

/// What becomes of one request.
struct Decision: Sendable, Equatable {
    /// In the words of the records.
    enum Verdict: String, Sendable {
        /// The token was good for a challenge or CAPTCHA rule: the application answers.
        case accepted
        case challenge
        case captcha
        case block
        /// Counted only: the application answers.
        case count
        /// The application answers.
        case allow
    }

    var action: RuleAction
    var token: TokenState
    var verdict: Verdict
    /// Whether a schedule made even a good token count as expired.
    var isForced: Bool
    /// What is answered in the application's place; nil: the application is reached.
    var interception: Interception?
}

extension TokenPolicy {
    /// The evaluation of one request, in the order of the design.
    ///
    /// - Parameters:
    ///   - planned: what the schedule says about this request.
    ///   - now: milliseconds since 1970.
    func decide(
        _ request: ProtectedRequest, rule: Rule, planned: Schedule.Entry?, now: Int64, expiredSerial: UInt64,
        read: ([UInt8]) -> TokenClaims?
    ) -> Decision {
        let action = planned?.action ?? rule.action
        var state: TokenState
        switch request.token {
        case .none: state = .absent
        case .ambiguous: state = .invalid
        case .one(let text):
            state = judge(
                read(text), host: request.host, action: action, now: now, immunitySec: rule.immunitySec,
                expiredSerial: expiredSerial)
        }
        let isForced = planned?.isForced ?? false
        if isForced, state == .accepted { state = .expired }

        var decision = Decision(action: action, token: state, verdict: .allow, isForced: isForced, interception: nil)
        let isHTML = request.method == .get && request.acceptsHTML
        switch action {
        case .allow: decision.verdict = .allow
        case .count: decision.verdict = .count
        case .block:
            decision.verdict = .block
            decision.interception = .block(status: rule.blockStatus, body: rule.blockBody)
        case .challenge, .captcha:
            if state == .accepted {
                decision.verdict = .accepted
            } else if action == .challenge {
                decision.verdict = .challenge
                decision.interception = .challenge(html: isHTML)
            } else {
                decision.verdict = .captcha
                decision.interception = .captcha(html: isHTML)
            }
        }
        return decision
    }
}

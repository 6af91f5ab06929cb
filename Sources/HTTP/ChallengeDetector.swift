public import Telemetry

/// What an answer of an endpoint behind AWS WAF means (AWS WAF Developer Guide, "How the AWS WAF CAPTCHA and Challenge
/// rule actions work").
public enum ChallengeVerdict: Sendable, Hashable {
    /// The origin's own answer.
    case none
    /// 202 with `x-amzn-waf-action: challenge`: the request did not reach the application.
    case challenge
    /// 405 with `x-amzn-waf-action: captcha`: a person must solve it.
    case captcha
    /// 403.
    case blocked

    /// What logs say; nil for the origin's own.
    public var logged: Verdict? {
        switch self {
        case .none: nil
        case .challenge: .challenge
        case .captcha: .captcha
        case .blocked: .blocked
        }
    }
}

/// Reads the verdict off a response head. Status and field must agree; either alone is the origin's own.
public enum ChallengeDetector {
    public static func judge(_ head: borrowing ResponseHead) -> ChallengeVerdict {
        switch head.status {
        case 202: hasAction("challenge", head.fields) ? .challenge : .none
        case 405: hasAction("captcha", head.fields) ? .captcha : .none
        case 403: .blocked
        default: .none
        }
    }

    private static func hasAction(_ action: StaticString, _ fields: borrowing Fields) -> Bool {
        guard let index = fields.index(of: .xAmznWafAction) else { return false }
        return fields.value(index).equalsIgnoringCase(action)
    }
}

/// What the evaluation of a request's token found, in the order of evaluation.
enum TokenState: String, Sendable, CaseIterable {
    /// No token at all.
    case absent
    /// Not a token of this emulator, or altered; or duplicated where that is refused.
    case invalid
    /// For another domain than the request's host.
    case domainMismatch = "domain_mismatch"
    /// Without the time that the rule's action asks for.
    case notSolved = "not_solved"
    /// Older than the immunity time.
    case expired
    /// Good for the request.
    case accepted

    /// The reason in the words of AWS WAF (API reference, `ChallengeResponse`, `FailureReason`); nil when accepted. It
    /// has no word of its own for a token whose time is not there: that counts as missing.
    var failureReason: String? {
        switch self {
        case .absent, .notSolved: "TOKEN_MISSING"
        case .invalid: "TOKEN_INVALID"
        case .domainMismatch: "TOKEN_DOMAIN_MISMATCH"
        case .expired: "TOKEN_EXPIRED"
        case .accepted: nil
        }
    }
}

/// What a token is judged by.
struct TokenPolicy: Sendable, Equatable {
    /// Token domains; empty: a token is for its exact host.
    var domains: [String] = []
    /// Seconds for which a solved challenge counts.
    var immunitySec = 300
    /// Seconds for which a solved CAPTCHA counts.
    var captchaImmunitySec = 300
    /// What two tokens in one request mean.
    var duplicateCookie = DuplicateCookie.first

    /// Judges one token.
    ///
    /// - Parameters:
    ///   - claims: nil for a token that cannot be read.
    ///   - host: lower case, no port.
    ///   - now: milliseconds since 1970.
    ///   - immunitySec: of the rule, where it has one of its own.
    ///   - expiredSerial: tokens up to this number count as expired.
    func judge(
        _ claims: TokenClaims?, host: String, action: RuleAction, now: Int64, immunitySec own: Int?,
        expiredSerial: UInt64
    ) -> TokenState {
        guard let claims else { return .invalid }
        guard accepts(domain: claims.domain, host: host) else { return .domainMismatch }
        let isCaptcha = action == .captcha
        guard let solved = isCaptcha ? claims.captchaSolvedAt : claims.challengeSolvedAt else { return .notSolved }
        let immunity = own ?? (isCaptcha ? captchaImmunitySec : immunitySec)
        // Whole seconds: an age equal to the immunity time still passes, one second more does not.
        let age = (now - solved) / 1000
        guard age <= Int64(immunity), claims.serial > expiredSerial else { return .expired }
        return .accepted
    }

    /// Whether a token for `domain` is for `host`: its exact host; or, with a list, both lie in listed domains.
    private func accepts(domain: String, host: String) -> Bool {
        if domain.isEmpty { return true }
        if domains.isEmpty { return domain == host }
        return isListed(domain) && isListed(host)
    }

    private func isListed(_ name: String) -> Bool {
        domains.contains { listed in
            name == listed || (name.hasSuffix(listed) && name.dropLast(listed.utf8.count).hasSuffix("."))
        }
    }
}

/// What two or more `aws-waf-token` cookies in one request mean.
enum DuplicateCookie: String, Sendable, CaseIterable { case first, last, invalid }

/// What a rule does with a request.
enum RuleAction: String, Sendable, CaseIterable { case challenge, captcha, block, count, allow }

/// One rule: an action for every path that begins with a prefix.
struct Rule: Sendable, Equatable {
    /// What a blocked request gets to read.
    enum BlockBody: String, Sendable, CaseIterable {
        /// A small HTML page.
        case page
        /// The JSON that Amazon Cognito answers with.
        case cognito
    }

    /// Plain text comparison from the start of the path; `/` covers everything.
    var prefix: String
    var action: RuleAction
    /// Seconds; nil: that of the policy.
    var immunitySec: Int?
    /// Of a blocked request.
    var blockStatus = 403
    /// Of a blocked request.
    var blockBody = BlockBody.page
}

extension [Rule] {
    /// What holds where no rule does.
    static let allowAll = Rule(prefix: "/", action: .allow)

    /// The rule with the longest prefix of `path`; of equal ones the first.
    func rule(for path: String) -> Rule {
        var best = Self.allowAll
        var length = -1
        for rule in self where rule.prefix.utf8.count > length && path.utf8.starts(with: rule.prefix.utf8) {
            best = rule
            length = rule.prefix.utf8.count
        }
        return best
    }
}

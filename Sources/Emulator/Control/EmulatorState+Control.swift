/// What the control calls read and change.
extension EmulatorState {
    private static let seconds = 0...1_000_000_000

    // MARK: Rules

    var rulesJSON: JSON {
        [
            "rules": .array(rules.map(\.json)),
            "immunitySec": .integer(policy.immunitySec),
            "captchaImmunitySec": .integer(policy.captchaImmunitySec),
            "domains": .array(policy.domains.map { .string($0) }),
            "duplicateCookie": .string(policy.duplicateCookie.rawValue),
        ]
    }

    mutating func setRules(_ body: JSON) throws(ControlError) {
        var arguments = try ControlArguments(body)
        let base = defaults.policy
        switch arguments.value("rules") {
        case nil: break
        case .null: rules = defaults.rules
        case .array(let elements):
            rules = []
            for element in elements { rules.append(try Rule(element)) }
        default: throw ControlError(detail: "rules must be a list")
        }
        policy.immunitySec = try arguments.integer(
            "immunitySec", in: Self.seconds, default: policy.immunitySec, null: base.immunitySec)
        policy.captchaImmunitySec = try arguments.integer(
            "captchaImmunitySec", in: Self.seconds, default: policy.captchaImmunitySec, null: base.captchaImmunitySec)
        policy.domains = try arguments.domains("domains", absent: policy.domains, null: base.domains)
        policy.duplicateCookie = try arguments.choice("duplicateCookie", default: policy.duplicateCookie)
        try arguments.refuseOthers()
    }

    // MARK: Clock

    func clockJSON(_ wallMsec: Int64) -> JSON {
        ["offsetSec": .integer(Int(clockOffsetMsec / 1000)), "nowMsec": .integer(Int(now(wallMsec)))]
    }

    mutating func setClock(_ body: JSON) throws(ControlError) {
        var arguments = try ControlArguments(body)
        let range = -1_000_000_000...1_000_000_000
        let offset = try arguments.integer("offsetSec", in: range, default: Int(clockOffsetMsec / 1000), null: 0)
        let advance = try arguments.integer("advanceSec", in: range, default: 0)
        try arguments.refuseOthers()
        clockOffsetMsec = Int64(offset + advance) * 1000
    }

    // MARK: Issuer

    var issuerJSON: JSON {
        [
            "mode": .string(issuer.mode.rawValue),
            "delayMsec": .integer(issuer.delayMsec),
            "status": .integer(issuer.status),
            "failures": .integer(issuer.failures),
            "expiresInSec": .optional(issuer.expiresInSec),
            "domain": .optional(issuer.domain),
            "tokenLength": .integer(issuer.tokenLength),
            "captchaSolved": .bool(issuer.captchaSolved),
        ]
    }

    mutating func setIssuer(_ body: JSON) throws(ControlError) {
        var arguments = try ControlArguments(body)
        let base = IssuerSettings()
        issuer.mode = try arguments.choice("mode", default: issuer.mode)
        issuer.delayMsec = try arguments.integer(
            "delayMsec", in: 0...86_400_000, default: issuer.delayMsec, null: base.delayMsec)
        issuer.status = try arguments.integer("status", in: 200...599, default: issuer.status, null: base.status)
        issuer.failures = try arguments.integer(
            "failures", in: 0...1_000_000, default: issuer.failures, null: base.failures)
        issuer.expiresInSec = try arguments.integer(
            "expiresInSec", in: Self.seconds, absent: issuer.expiresInSec, null: nil)
        issuer.domain = try arguments.domain("domain", absent: issuer.domain)
        issuer.tokenLength = try arguments.integer(
            "tokenLength", in: TokenFormat.lengths, default: issuer.tokenLength, null: base.tokenLength)
        issuer.captchaSolved = try arguments.bool("captchaSolved", default: issuer.captchaSolved)
        try arguments.refuseOthers()
    }

    // MARK: Schedule

    var scheduleJSON: JSON {
        ["schedule": .array(schedule.entries.map(\.json)), "requests": .integer(schedule.count)]
    }

    mutating func setSchedule(_ body: JSON) throws(ControlError) {
        var arguments = try ControlArguments(body)
        switch arguments.value("schedule") {
        case nil: break
        case .null: schedule = Schedule()
        case .array(let elements):
            var entries: [Schedule.Entry] = []
            for element in elements { entries.append(try Schedule.Entry(element)) }
            schedule = Schedule(entries)
        default: throw ControlError(detail: "schedule must be a list")
        }
        if try arguments.bool("expireNow", default: false) { expireNow() }
        try arguments.refuseOthers()
    }

    // MARK: Tokens

    /// Named states, so that nobody has to know the immunity time to get an expired token.
    private enum MintedState: String, CaseIterable { case accepted, expired, invalid, domainMismatch, notSolved }

    mutating func mintToken(_ body: JSON, wallMsec: Int64) throws(ControlError) -> JSON {
        var arguments = try ControlArguments(body)
        let state: MintedState = try arguments.choice("state", default: .accepted)
        let isMismatch = state == .domainMismatch
        let domain = try arguments.domain("domain", absent: isMismatch ? "mismatch.invalid" : defaultDomain) ?? ""
        var age: Int? = state == .expired ? policy.immunitySec + 1 : 0
        if state == .notSolved { age = nil }
        age = try arguments.integer("ageSec", in: Self.seconds, absent: age, null: nil)
        let captchaAge = try arguments.integer("captchaAgeSec", in: Self.seconds, absent: nil, null: nil)
        let length = try arguments.integer("length", in: TokenFormat.lengths, default: TokenFormat.defaultLength)
        try arguments.refuseOthers()

        var token = mint(
            domain: domain, challengeAgeSec: age, captchaAgeSec: captchaAge, length: length, wallMsec: wallMsec)
        if state == .invalid { token = TokenFormat.corrupt(token) }
        return [
            "token": .string(String(decoding: token, as: UTF8.self)),
            "tokenFingerprint": .string(TokenFormat.fingerprint(token)),
            "expiresIn": .integer(age.map { max(policy.immunitySec - $0, 0) } ?? 0),
            "domain": domain.isEmpty ? .null : .string(domain),
        ]
    }
}

extension Rule {
    var json: JSON {
        var members: [JSON.Member] = [
            .init("prefix", .string(prefix)), .init("action", .string(action.rawValue)),
            .init("immunitySec", .optional(immunitySec)),
        ]
        if action == .block {
            members.append(.init("status", .integer(blockStatus)))
            members.append(.init("body", .string(blockBody.rawValue)))
        }
        return .object(members)
    }

    init(_ json: JSON) throws(ControlError) {
        var arguments = try ControlArguments(json)
        guard case .string(let prefix)? = arguments.value("prefix"), prefix.hasPrefix("/") else {
            throw ControlError(detail: "prefix must be a path")
        }
        self.init(prefix: prefix, action: try arguments.choice("action", default: nil))
        immunitySec = try arguments.integer("immunitySec", in: 0...1_000_000_000, absent: nil, null: nil)
        blockStatus = try arguments.integer("status", in: 200...599, default: 403)
        blockBody = try arguments.choice("body", default: .page)
        try arguments.refuseOthers()
    }
}

extension Schedule.Entry {
    var json: JSON {
        [
            "action": .string(action.rawValue), "every": .optional(every), "from": .integer(from), "to": .optional(to),
            "force": .bool(isForced),
        ]
    }

    init(_ json: JSON) throws(ControlError) {
        var arguments = try ControlArguments(json)
        let numbers = 1...Int.max
        let action: RuleAction = try arguments.choice("action", default: nil)
        let every = try arguments.integer("every", in: numbers, absent: nil, null: nil)
        self.init(
            action: action, every: every, from: try arguments.integer("from", in: numbers, default: 1),
            to: try arguments.integer("to", in: numbers, absent: nil, null: nil),
            isForced: try arguments.bool("force", default: every != nil))
        try arguments.refuseOthers()
    }
}

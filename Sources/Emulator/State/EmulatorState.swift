internal import HTTP

/// Everything that the emulator knows, without any I/O: rules, clock, schedule, issuer, records. Time is a parameter:
/// `wallMsec` is the machine's time in milliseconds since 1970. Confined to the emulator's loop.
struct EmulatorState {
    /// What was asked for at the start; an explicit null in a control call goes back to it.
    let defaults: Defaults
    var rules: [Rule]
    var policy: TokenPolicy
    /// Added to the machine's time: time travel.
    var clockOffsetMsec: Int64 = 0
    var schedule = Schedule()
    var issuer = IssuerSettings()
    var records: RecordRing
    var issuerCalls: [IssuerCall] = []
    private(set) var issuerCallCount = 0
    /// How many events of `/sse` were released.
    var releasedEvents = 0

    private let format: TokenFormat
    private var lastSerial: UInt64 = 0
    private var expiredSerial: UInt64 = 0
    private var lastIssued: [UInt8]?

    /// What the state begins with.
    struct Defaults: Sendable {
        var rules: [Rule] = [Rule(prefix: "/protected", action: .challenge)]
        var policy = TokenPolicy()
        var recordCapacity = 20_000
    }

    init(defaults: Defaults, tokenKey: [UInt8]) {
        self.defaults = defaults
        rules = defaults.rules
        policy = defaults.policy
        records = RecordRing(capacity: defaults.recordCapacity)
        format = TokenFormat(key: tokenKey)
    }

    /// The emulator's time.
    func now(_ wallMsec: Int64) -> Int64 { wallMsec + clockOffsetMsec }

    // MARK: The origin

    /// Judges a request and begins its record, whose number is given back.
    mutating func receive(
        _ request: ProtectedRequest, record base: (inout RequestRecord) -> Void, wallMsec: Int64
    ) -> (decision: Decision, number: Int) {
        let now = now(wallMsec)
        let decision = policy.decide(
            request, rule: rules.rule(for: request.path), planned: schedule.next(), now: now,
            expiredSerial: expiredSerial, read: format.read)
        var record = RequestRecord(decision: decision)
        record.timeMsec = now
        if case .one(let text) = request.token { record.fingerprint = TokenFormat.fingerprint(text) }
        record.status = decision.interception?.status
        base(&record)
        return (decision, records.append(record))
    }

    /// Every token that was made up to now counts as expired.
    mutating func expireNow() { expiredSerial = lastSerial }

    // MARK: Tokens

    /// Makes a token. Ages in seconds; nil: not solved.
    mutating func mint(
        domain: String, challengeAgeSec: Int?, captchaAgeSec: Int?, length: Int, wallMsec: Int64
    ) -> [UInt8] {
        lastSerial += 1
        let now = now(wallMsec)
        return format.write(
            TokenClaims(
                serial: lastSerial, challengeSolvedAt: challengeAgeSec.map { now - Int64($0) * 1000 },
                captchaSolvedAt: captchaAgeSec.map { now - Int64($0) * 1000 }, domain: domain),
            length: length)
    }

    /// The domain of a token for which none was named.
    var defaultDomain: String { issuer.domain ?? policy.domains.first ?? "" }

    // MARK: The issuer

    /// Answers one call of the issuer and writes it down.
    mutating func issue(domain: String?, wallMsec: Int64) -> IssuerAnswer {
        let mode = issuer.mode
        var token: [UInt8]?
        var answer: IssuerAnswer
        switch mode {
        case .ok, .delay:
            token = freshToken(domain, wallMsec)
            answer = .respond(status: 200, body: body(token), afterMsec: mode == .delay ? issuer.delayMsec : 0)
        case .hang: answer = .hang
        case .reset: answer = .reset
        case .status: answer = .respond(status: issuer.status, body: Self.refusal, afterMsec: 0)
        case .noToken: answer = .respond(status: 200, body: body(nil), afterMsec: 0)
        case .corrupt:
            token = TokenFormat.corrupt(freshToken(domain, wallMsec))
            answer = .respond(status: 200, body: body(token), afterMsec: 0)
        case .fail:
            if issuer.failures > 0 {
                issuer.failures -= 1
                answer = .respond(status: issuer.status, body: Self.refusal, afterMsec: 0)
            } else {
                token = freshToken(domain, wallMsec)
                answer = .respond(status: 200, body: body(token), afterMsec: 0)
            }
        case .same:
            token = lastIssued ?? freshToken(domain, wallMsec)
            let age = token.flatMap(format.read)?.challengeSolvedAt.map { Int((now(wallMsec) - $0) / 1000) } ?? 0
            answer = .respond(status: 200, body: body(token, age: age), afterMsec: 0)
        }
        if let token { lastIssued = token }
        note(mode, answer, token, wallMsec)
        return answer
    }

    private mutating func note(_ mode: IssuerMode, _ answer: IssuerAnswer, _ token: [UInt8]?, _ wallMsec: Int64) {
        issuerCallCount += 1
        var status: Int?
        if case .respond(let code, _, _) = answer { status = code }
        if issuerCalls.count >= defaults.recordCapacity { issuerCalls.removeFirst(issuerCalls.count / 2) }
        issuerCalls.append(
            IssuerCall(
                number: issuerCallCount, timeMsec: now(wallMsec), wallMsec: wallMsec, mode: mode, status: status,
                fingerprint: token.map(TokenFormat.fingerprint)))
    }

    private mutating func freshToken(_ domain: String?, _ wallMsec: Int64) -> [UInt8] {
        mint(
            domain: domain ?? defaultDomain, challengeAgeSec: 0, captchaAgeSec: issuer.captchaSolved ? 0 : nil,
            length: issuer.tokenLength, wallMsec: wallMsec)
    }

    private func body(_ token: [UInt8]?, age: Int = 0) -> JSON {
        let expiresIn = JSON.integer(issuer.expiresInSec ?? max(policy.immunitySec - age, 0))
        guard let token else { return ["expiresIn": expiresIn] }
        return ["token": .string(String(decoding: token, as: UTF8.self)), "expiresIn": expiresIn]
    }

    private static let refusal: JSON = ["error": "emulated failure"]
}

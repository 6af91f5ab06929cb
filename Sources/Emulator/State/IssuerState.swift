/// How the issuer behaves.
enum IssuerMode: String, Sendable, CaseIterable {
    /// A new token at once.
    case ok
    /// A new token after `delayMsec`.
    case delay
    /// Reads the request and never answers.
    case hang
    /// Resets the connection.
    case reset
    /// Answers `status` without a token.
    case status
    /// Answers 200 without a token.
    case noToken
    /// A token that the origin cannot read, a new one each time.
    case corrupt
    /// `status` for the next `failures` calls, then as `ok`.
    case fail
    /// The token of the last answer once more.
    case same
}

/// What can be set about the issuer.
struct IssuerSettings: Sendable, Equatable {
    var mode = IssuerMode.ok
    var delayMsec = 1000
    var status = 500
    /// How many calls still fail, in mode `fail`.
    var failures = 1
    /// What is answered as `expiresIn`; nil: the immunity time that is left.
    var expiresInSec: Int?
    /// The domain that tokens are for unless the call names one; nil: the first token domain, or every host.
    var domain: String?
    /// Length of tokens in bytes.
    var tokenLength = TokenFormat.defaultLength
    /// Whether tokens carry a CAPTCHA time as well.
    var captchaSolved = false
}

/// One call of the issuer.
struct IssuerCall: Sendable {
    var number: Int
    /// On the emulator's clock.
    var timeMsec: Int64
    /// On the machine's clock, which no time travel moves: for the intervals between calls.
    var wallMsec: Int64
    var mode: IssuerMode
    /// Nil where nothing was answered.
    var status: Int?
    var fingerprint: String?

    var json: JSON {
        [
            "number": .integer(number), "timeMsec": .integer(Int(timeMsec)),
            "wallMsec": .integer(Int(wallMsec)), "mode": .string(mode.rawValue),
            "status": .optional(status), "tokenFingerprint": .optional(fingerprint),
        ]
    }
}

/// What the issuer does about one call.
enum IssuerAnswer: Sendable, Equatable {
    case respond(status: Int, body: JSON, afterMsec: Int)
    case hang
    case reset
}

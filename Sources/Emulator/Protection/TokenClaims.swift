/// What a token of the emulator says. Times are milliseconds since 1970 on the emulator's own clock.
struct TokenClaims: Sendable, Hashable {
    /// Counts the tokens that were made; "expire now" covers everything up to one number.
    var serial: UInt64
    /// When the challenge was solved; nil: it was not.
    var challengeSolvedAt: Int64?
    /// When the CAPTCHA was solved; nil: it was not.
    var captchaSolvedAt: Int64?
    /// Lower case; empty: for every host.
    var domain: String
}

/// What the origin saw of one request and did with it.
struct RequestRecord: Sendable {
    /// Counts from 1 in the order of arrival, over both listeners.
    var number = 0
    /// Milliseconds since 1970 on the emulator's clock.
    var timeMsec: Int64 = 0
    var scheme = "http"
    var method = ""
    /// As it came, with the query.
    var target = ""
    /// As it came.
    var host = ""
    var decision: Decision
    /// Of the token that was judged; nil where there was none.
    var fingerprint: String?
    /// How many tokens the request carried, in cookies and header.
    var tokenCount = 0
    /// The status that was answered; nil while the application is at work.
    var status: Int?
    /// Bytes of content that the application read; nil where it was not reached.
    var bodySize: Int?
    /// SHA-256 of that content, in hexadecimal digits.
    var bodySHA256: String?

    var json: JSON {
        [
            "number": .integer(number),
            "timeMsec": .integer(Int(timeMsec)),
            "scheme": .string(scheme),
            "method": .string(method),
            "target": .string(target),
            "host": .string(host),
            "action": .string(decision.action.rawValue),
            "verdict": .string(decision.verdict.rawValue),
            "reason": .optional(decision.token.failureReason),
            "token": .string(decision.token.rawValue),
            "tokenFingerprint": .optional(fingerprint),
            "tokenCount": .integer(tokenCount),
            "forced": .bool(decision.isForced),
            "reached": .bool(decision.interception == nil),
            "status": .optional(status),
            "bodySize": .optional(bodySize),
            "bodySHA256": .optional(bodySHA256),
        ]
    }
}

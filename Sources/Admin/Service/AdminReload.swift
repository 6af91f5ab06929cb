internal import WAFTokens

/// What came of `POST /v1/reload`.
public enum AdminReload: Sendable, Equatable {
    /// The new settings hold; with the names of the parts that differ, and sentences that an operator should read.
    case done(changed: [String], warnings: [String])
    /// The old settings hold; one sentence for each fault.
    case refused([String])

    /// `{"reloaded":true,"changed":[…],"warnings":[…]}`, or 409 with `error`, `message` and `faults`: the request is
    /// good, the state of the settings is not.
    var answer: AdminAnswer {
        switch self {
        case .done(let changed, let warnings):
            return AdminAnswer(
                .members([
                    "reloaded": .bool(true), "changed": .array(changed.map(JSONValue.text)),
                    "warnings": .array(warnings.map(JSONValue.text)),
                ]))
        case .refused(let faults):
            return AdminAnswer(
                .members([
                    "error": .text("settings_refused"),
                    "message": .text("the old settings hold: " + faults.joined(separator: "; ")),
                    "faults": .array(faults.map(JSONValue.text)),
                ]), status: 409)
        }
    }
}

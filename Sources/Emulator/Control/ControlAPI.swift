internal import HTTP

/// The control calls, without I/O: a method, a path and a JSON body in, a status and a JSON body out.
///
/// `PUT` changes the members that are named; null puts one back to its default. Unknown members, paths and values out
/// of range are refused and nothing is changed.
enum ControlAPI {
    private static let calls = [
        "GET|PUT /v1/rules", "PUT /v1/clock", "PUT /v1/issuer", "PUT /v1/schedule", "POST /v1/tokens",
        "GET|DELETE /v1/requests", "GET /v1/issuer/calls", "POST /v1/sse/next",
    ]

    /// Answers one call.
    ///
    /// - Parameters:
    ///   - target: path and query.
    ///   - wallMsec: milliseconds since 1970.
    static func answer(
        _ method: Method, _ target: String, _ body: Span<UInt8>, state: inout EmulatorState, wallMsec: Int64
    ) -> ControlAnswer {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts[0])
        do throws(ControlError) {
            var draft = state
            let answer = try call(
                method, path, query: parts.count > 1 ? String(parts[1]) : "", body, state: &draft, wallMsec: wallMsec)
            state = draft
            return answer
        } catch {
            return ControlAnswer(status: error.status, body: ["error": .string(error.detail)])
        }
    }

    private static func call(
        _ method: Method, _ path: String, query: String, _ body: Span<UInt8>, state: inout EmulatorState,
        wallMsec: Int64
    ) throws(ControlError) -> ControlAnswer {
        switch (method, path) {
        case (.get, "/v1/rules"):
            return ControlAnswer(body: state.rulesJSON)
        case (.put, "/v1/rules"):
            try state.setRules(try json(body))
            return ControlAnswer(body: state.rulesJSON)
        case (.put, "/v1/clock"):
            try state.setClock(try json(body))
            return ControlAnswer(body: state.clockJSON(wallMsec))
        case (.put, "/v1/issuer"):
            try state.setIssuer(try json(body))
            return ControlAnswer(body: state.issuerJSON)
        case (.put, "/v1/schedule"):
            try state.setSchedule(try json(body))
            return ControlAnswer(body: state.scheduleJSON)
        case (.post, "/v1/tokens"):
            return ControlAnswer(status: 201, body: try state.mintToken(try json(body), wallMsec: wallMsec))
        case (.get, "/v1/requests"):
            let records = state.records.records(after: try after(query))
            return ControlAnswer(body: ["requests": .array(records.map(\.json))])
        case (.delete, "/v1/requests"):
            state.records.removeAll()
            return ControlAnswer(body: ["requests": []])
        case (.get, "/v1/issuer/calls"):
            let skipped = try after(query)
            let calls = state.issuerCalls.filter { $0.number > skipped }
            return ControlAnswer(body: ["calls": .array(calls.map(\.json))])
        case (.post, "/v1/sse/next"):
            state.releasedEvents += 1
            return ControlAnswer(body: ["released": .integer(state.releasedEvents)], releasesEvent: true)
        default:
            throw ControlError(status: 404, detail: "no such call; there are: \(calls.joined(separator: ", "))")
        }
    }

    /// The body; an empty one counts as an empty object.
    private static func json(_ body: Span<UInt8>) throws(ControlError) -> JSON {
        if body.isEmpty { return [:] }
        do throws(JSONError) {
            return try JSON(reading: body)
        } catch {
            throw ControlError(detail: "not JSON: \(error.detail.rawValue) at byte \(error.offset)")
        }
    }

    /// The query `after=N`: records with a larger number only.
    private static func after(_ query: String) throws(ControlError) -> Int {
        if query.isEmpty { return 0 }
        let parts = query.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "after", let number = Int(parts[1]), number >= 0 else {
            throw ControlError(detail: "the query must be after=NUMBER")
        }
        return number
    }
}

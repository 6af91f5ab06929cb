internal import Telemetry

/// What the query of `/v1/flows` and `/v1/flows.har` may say. Pure.
enum FlowQuery {
    /// `host`, `verdict`, `provider`, `status` (`404` or `4xx`), `since`, `limit`.
    static func filter(_ request: AdminRequest) throws(AdminRefusal) -> FlowFilter {
        var filter = FlowFilter()
        filter.host = value("host", request)?.lowercased()
        filter.provider = value("provider", request)
        if let text = value("verdict", request) { filter.verdict = try verdict(text) }
        if let text = value("status", request) { filter.status = try status(text) }
        if let text = request.parameter("since") {
            guard isDecimal(text), let since = UInt64(text) else { throw refusal("since", "the number of a flow") }
            filter.since = since
        }
        if let text = request.parameter("limit") {
            guard isDecimal(text), let limit = Int(text), (1...100_000).contains(limit) else {
                throw refusal("limit", "a number from 1 to 100000")
            }
            filter.limit = limit
        }
        return filter
    }

    /// A filter; nil where it is not given, or empty, as forms send it.
    private static func value(_ name: String, _ request: AdminRequest) -> String? {
        request.parameter(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func verdict(_ text: String) throws(AdminRefusal) -> FlowFilter.VerdictChoice {
        if text == "none" { return .unjudged }
        guard let verdict = Verdict.allCases.first(where: { "\($0.label)" == text }) else {
            throw refusal("verdict", "one of none, challenge, captcha, blocked")
        }
        return .only(verdict)
    }

    private static func status(_ text: String) throws(AdminRefusal) -> ClosedRange<Int> {
        if text.utf8.count == 3, isDecimal(text), let status = Int(text) { return status...status }
        if text.utf8.count == 3, text.hasSuffix("xx"), isDecimal(text.prefix(1)), let first = Int(text.prefix(1)) {
            return (first * 100)...(first * 100 + 99)
        }
        throw refusal("status", "a status such as 404 or a class such as 4xx")
    }

    private static func isDecimal(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }

    private static func refusal(_ name: String, _ meaning: String) -> AdminRefusal {
        AdminRefusal(.badRequest, "\(name) must be \(meaning)")
    }
}

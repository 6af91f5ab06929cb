internal import HTTP
internal import Telemetry
internal import WAFTokens

/// Flows as an HTTP archive ("HAR 1.2 Spec", Jan Odvarko), for the viewers of browsers. Pure.
///
/// What the format has no place for stands under names that begin with `_`. Cookies are never listed, queries are not
/// kept, and of the fields only harmless ones show their value.
struct HARDocument {
    var version: String
    var entries: [FlowEntry]

    var json: JSONValue {
        .members([
            "log": .members([
                "version": .text("1.2"),
                "creator": .members(["name": .text("waf-token-proxy"), "version": .text(version)]),
                "pages": .array([]),
                "entries": .array(entries.map(entry)),
            ])
        ])
    }

    private func entry(_ flow: FlowEntry) -> JSONValue {
        let record = flow.record
        let duration = Double(record.durationMicroseconds) / 1000
        let wait = record.upstreamMicroseconds.map { min(Double($0) / 1000, duration) } ?? duration
        let begun = WallClock(milliseconds: flow.ended.milliseconds - Int64(record.durationMicroseconds / 1000))
        return .members([
            "startedDateTime": .text(begun.rfc3339),
            "time": .number(duration),
            "request": request(flow),
            "response": response(flow),
            "cache": .members([:]),
            "timings": .members(["send": .number(0), "wait": .number(wait), "receive": .number(duration - wait)]),
            "_id": .integer(flow.id),
            "_client": .text(Escaper.escape(record.client)),
            "_provider": .maybe(flow.provider) { .text($0) },
            "_token": .maybe(record.token) { .text($0) },
            "_verdict": .maybe(record.verdict) { .text("\($0.label)") },
            "_replays": .integer(record.replays),
            "_error": .maybe(record.error) { .text(Escaper.escape($0)) },
        ])
    }

    private func request(_ flow: FlowEntry) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("method", .text(Escaper.escape(flow.record.method))),
            ("url", .text(flow.record.url)),
            ("httpVersion", .text("HTTP/1.1")),
            ("cookies", .array([])),
            ("headers", headers(flow.requestFields)),
            ("queryString", .array([])),
            ("headersSize", .integer(-1)),
            ("bodySize", .integer(flow.record.bytesIn)),
        ]
        if let body = flow.requestBody, !body.isEmpty {
            let type = flow.requestFields.shown("content-type") ?? ""
            members.append(("postData", .object(named: [("mimeType", .text(type))] + text(body))))
        }
        return .object(named: members)
    }

    private func response(_ flow: FlowEntry) -> JSONValue {
        let record = flow.record
        var content: [(String, JSONValue)] = [
            ("size", .integer(record.bytesOut)),
            ("mimeType", .text(flow.responseFields.shown("content-type") ?? "")),
        ]
        if let body = flow.responseBody, !body.isEmpty { content += text(body) }
        return .members([
            "status": .integer(record.status),
            "statusText": .text(ReasonPhrase.of(record.status).map { "\($0)" } ?? ""),
            "httpVersion": .text("HTTP/1.1"),
            "cookies": .array([]),
            "headers": headers(flow.responseFields),
            "content": .object(named: content),
            "redirectURL": .text(flow.responseFields.shown("location") ?? ""),
            "headersSize": .integer(-1),
            "bodySize": .integer(record.bytesOut),
        ])
    }

    private func headers(_ fields: FlowFields) -> JSONValue {
        .array(
            fields.pairs.map { pair in
                .members([
                    "name": .text(Escaper.escape(pair.name)),
                    "value": .text(FieldDisclosure.value(of: pair.name, pair.value)),
                ])
            })
    }

    /// Text as it is, anything else in Base64.
    private func text(_ body: [UInt8]) -> [(String, JSONValue)] {
        if let text = String(validating: body, as: UTF8.self) { return [("text", .text(text))] }
        return [("text", .text(String(decoding: Base64.encode(body), as: UTF8.self))), ("encoding", .text("base64"))]
    }
}

extension AccessRecord {
    /// `https://shop.test/api`; a tunnel has no scheme of its own and is shown by the one it is used for.
    fileprivate var url: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(Escaper.escape(host))]" : Escaper.escape(host)
        let scheme = scheme.map { "\($0)" } ?? "https"
        let isUsual = port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(name)\(isUsual ? "" : ":\(port)")\(path.isEmpty ? "/" : Escaper.escape(path))"
    }
}

extension FlowFields {
    /// The value of the first field of this name, given in lower case, as it may be shown.
    fileprivate func shown(_ name: String) -> String? {
        pairs.first { String(decoding: $0.name, as: UTF8.self).lowercased() == name }
            .map { FieldDisclosure.value(of: $0.name, $0.value) }
    }
}

extension JSONValue {
    fileprivate static func object(named members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { Member(name: Array($0.0.utf8), value: $0.1) })
    }
}

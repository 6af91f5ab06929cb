internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream
internal import WAFTokens

/// The answers that the proxy makes itself, and the fields it adds to the ones it passes on.
extension RequestContext {
    /// Sends the table's answer for `refusal`. Nothing of another answer has gone out yet.
    func answer(_ refusal: Refusal) async -> ClientConnection.Fate {
        if case .clientGone = refusal {
            record.error = "client_gone"
            return .abort
        }
        let answer = AnswerTable.answer(for: refusal)
        record.status = answer.status
        record.error = refusal.reason?.rawValue ?? answer.error?.description
        if refusal.reason == .clearTextRefused, let route, let provider = route.provider {
            worker.shared.hints.refusedInClear(route.authority, provider: provider.provider.name)
        }
        exchange?.cancel()
        hasAnswered = true
        let hasUnreadBody = hasUnreadBody
        let keeps = !answer.losesFraming && !hasUnreadBody && head.keepAlive && !worker.isDraining
        write(answer, keeps: keeps)
        connection.stream.send(worker.outgoing)
        return keeps ? .keep : .close
    }

    /// Whether bytes of this request are still to come or its end is lost, so that the next request cannot be found.
    var hasUnreadBody: Bool {
        if let pump { return !pump.isWhole }
        return head.framing.hasBody
    }

    private func write(_ answer: OwnAnswer, keeps: Bool) {
        let isJSON = AcceptField.wantsOnlyJSON(head.fields)
        let body = isJSON ? answer.json : "waf-token-proxy: \(answer.sentence)\n"
        var response = ResponseHead()
        response.status = answer.status
        response.fields.append("Content-Type", isJSON ? "application/json" : "text/plain; charset=utf-8")
        response.fields.append("Content-Length", "\(body.utf8.count)")
        response.fields.append("Cache-Control", "no-store")
        response.fields.append("Proxy-Status", answer.proxyStatus(configuration.pseudonym))
        if answer.status == 407 { response.fields.append("Proxy-Authenticate", "Basic realm=\"waf-token-proxy\"") }
        if let seconds = answer.retryAfter { response.fields.append("Retry-After", "\(seconds)") }
        if !keeps { response.fields.append("Connection", "close") }
        worker.outgoing.removeAll(keepingCapacity: true)
        HeadWriter.write(response: response, into: &worker.outgoing)
        if head.method != .head { worker.outgoing.append(contentsOf: body.utf8) }
    }

    /// `Via`, the reason why something was passed on, and what was done, where asked for.
    func addOurFields(to fields: inout Fields, answeredIn version: HTTPVersion) {
        if configuration.addsVia { Via.append(to: &fields, version: version, pseudonym: configuration.viaName) }
        if let note, record.verdict != nil || isMissingToken {
            fields.append("Proxy-Status", "\(configuration.pseudonym); details=\"\(note.rawValue)\"")
        }
        if configuration.explains { fields.append("x-waf-token-proxy", explanation) }
    }

    /// Whether the request went out without the token that belongs on it.
    private var isMissingToken: Bool {
        if case .without = attachment { true } else { false }
    }

    private var explanation: String {
        let token =
            switch attachment {
            case .none: "none"
            case .without: "missing"
            case .token: "attached"
            }
        let verdict = record.verdict.map { "; verdict=\($0.label)" } ?? ""
        return "token=\(token); replay=\(record.replays)\(verdict)"
    }
}

extension OwnAnswer {
    /// `waf-token-proxy; error=dns_error; details="…"` (RFC 9209 §2).
    func proxyStatus(_ pseudonym: StaticString) -> String {
        let error = error.map { "; error=\($0)" } ?? ""
        return "\(pseudonym)\(error); details=\"\(details.quotedInside)\""
    }

    var json: String {
        let error = error?.description ?? "none"
        return "{\"status\":\(status),\"error\":\"\(error)\",\"details\":\"\(details.quotedInside)\","
            + "\"message\":\"\(sentence.quotedInside)\"}\n"
    }
}

extension String {
    /// For a quoted string whose text is printable ASCII already (RFC 9651 §3.3.3, RFC 8259 §7): `"` and `\`.
    var quotedInside: String {
        var quoted = ""
        for character in unicodeScalars {
            if character == "\"" || character == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(character)
        }
        return quoted
    }
}

extension Refusal {
    /// The reason code, where the refusal has one; logs prefer it to the error type.
    fileprivate var reason: ReasonCode? {
        switch self {
        case .noToken(let reason), .unresolvedChallenge(let reason): reason
        case .clearTextRefused: .clearTextRefused
        case .upstream(let error): error.code == .clearTextRefused ? .clearTextRefused : nil
        default: nil
        }
    }
}

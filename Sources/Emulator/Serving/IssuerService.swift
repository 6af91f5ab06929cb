internal import HTTP

/// Answers calls of the token issuer: `POST /token`, with an optional JSON body or query that names the `domain`.
enum IssuerService {
    private static let bodyLimit = 64 * 1024

    static func respond(_ core: EmulatorCore, _ exchange: ServerExchange) async throws(ExchangeFailure) {
        var body: [UInt8] = []
        try await exchange.readBody { piece in
            if body.count < bodyLimit { piece.withUnsafeBufferPointer { body.append(contentsOf: $0) } }
        }
        let target = Target(exchange.target)
        guard target.path == "/token" else { return exchange.answer(json: ["error": "no such path"], status: 404) }
        guard exchange.head.method == .post else {
            return exchange.answer(json: ["error": "POST only"], status: 405, fields: [("Allow", "POST")])
        }
        switch core.state.issue(domain: domain(target, body), wallMsec: core.wallMsec) {
        case .respond(let status, let json, let delay):
            await core.pauses.pause(for: .milliseconds(delay))
            exchange.answer(json: json, status: status, fields: [("Cache-Control", "no-store")])
        case .reset:
            exchange.fate = .reset
        case .hang:
            // Until the client gives up, or the emulator ends.
            exchange.fate = .close
            do throws(ChannelFailure) {
                while try await exchange.channel.receive() { exchange.channel.consumeAll() }
            } catch {
                throw .connection
            }
        }
    }

    private static func domain(_ target: Target, _ body: [UInt8]) -> String? {
        let named: String?
        if case .string(let text)? = (try? JSON(reading: body.span))?["domain"] {
            named = text
        } else {
            named = target.value("domain")
        }
        return named.map { String($0.lowercased().prefix(TokenFormat.maximumDomain)) }
    }
}

/// Answers control calls.
enum ControlService {
    private static let bodyLimit = 1 << 20

    static func respond(_ core: EmulatorCore, _ exchange: ServerExchange) async throws(ExchangeFailure) {
        var body: [UInt8] = []
        try await exchange.readBody { piece in
            if body.count <= bodyLimit { piece.withUnsafeBufferPointer { body.append(contentsOf: $0) } }
        }
        guard body.count <= bodyLimit else {
            return exchange.answer(json: ["error": "a body of more than 1 MiB"], status: 413)
        }
        let answer = ControlAPI.answer(
            exchange.head.method, exchange.target, body.span, state: &core.state, wallMsec: core.wallMsec)
        exchange.answer(json: answer.body, status: answer.status)
        if answer.releasesEvent { core.eventReleased.fire() }
    }
}

extension ServerExchange {
    /// A whole answer in JSON, with a line end for people.
    func answer(json: JSON, status: Int = 200, fields: [(StaticString, String)] = []) {
        var bytes = json.bytes
        bytes.append(UInt8(ascii: "\n"))
        answer(status, type: "application/json", fields: fields, body: bytes)
    }
}

/// A path and its query.
struct Target {
    let path: String
    let query: Substring

    init(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "/")
        query = parts.count > 1 ? parts[1] : ""
    }

    /// The value of a query parameter, as it is written.
    func value(_ name: String) -> String? {
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.first.map(String.init) == name { return pair.count > 1 ? String(pair[1]) : "" }
        }
        return nil
    }

    /// A query parameter as a number in a range; the fallback where it is absent or something else.
    func number(_ name: String, in range: ClosedRange<Int>, default fallback: Int) -> Int {
        guard let text = value(name), let number = Int(text), range.contains(number) else { return fallback }
        return number
    }
}

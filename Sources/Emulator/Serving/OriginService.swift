internal import EventLoop
internal import HTTP
internal import TLS

/// Answers requests to the protected origin: judges the token, writes the record, then lets the application answer or
/// intercepts.
enum OriginService {
    static func respond(_ core: EmulatorCore, _ exchange: ServerExchange) async throws(ExchangeFailure) {
        let target = exchange.target
        let path = String(target.prefix { $0 != "?" })
        let host = exchange.value(.host) ?? ""
        let presented = PresentedToken.find(in: exchange.head.fields, duplicates: core.state.policy.duplicateCookie)
        let request = ProtectedRequest(
            method: exchange.head.method, path: path, host: hostName(of: exchange.head),
            acceptsHTML: acceptsHTML(exchange.head),
            token: presented.token)
        let (decision, number) = core.state.receive(
            request,
            record: { record in
                record.scheme = exchange.channel.isTLS ? "https" : "http"
                record.method = String(decoding: exchange.head.methodBytes, as: UTF8.self)
                record.target = target
                record.host = host
                record.tokenCount = presented.count
            }, wallMsec: core.wallMsec)

        if let interception = decision.interception {
            exchange.answerEarly()
            return intercept(exchange, with: interception)
        }
        exchange.willAnswer = { status in core.state.records.update(number) { $0.status = status } }
        let body = try await ReceivedBody.read(from: exchange)
        core.state.records.update(number) { record in
            record.bodySize = Int(body.size)
            record.bodySHA256 = body.sha256
        }
        let application = Application(core: core, exchange: exchange, target: target, body: body)
        try await application.answer()
    }

    private static func intercept(_ exchange: ServerExchange, with interception: Interception) {
        var fields: [(StaticString, String)] = []
        if let action = interception.wafAction {
            fields.append(("x-amzn-waf-action", action))
            fields.append(("cache-control", "no-store, max-age=0"))
        }
        let body = interception.body
        exchange.answer(
            interception.status, type: body?.type, fields: fields, body: body.map { Array($0.content.utf8) } ?? [])
    }

    /// The host that the request is for, as token domains are compared.
    private static func hostName(of head: borrowing RequestHead) -> String {
        if case .absolute(let scheme, let range, _) = head.target {
            let authority = head.targetBytes.span.extracting(range)
            return (try? Authority(parsing: authority, defaultPort: scheme.defaultPort))?.host ?? ""
        }
        guard let index = head.fields.index(of: .host) else { return "" }
        return (try? Authority(parsing: head.fields.value(index), defaultPort: 80))?.host ?? ""
    }

    private static func acceptsHTML(_ head: borrowing RequestHead) -> Bool {
        for index in 0..<head.fields.count where head.fields.known(index) == .accept {
            if namesHTML(head.fields.value(index)) { return true }
        }
        return false
    }
}

/// What the application read of a request's body.
struct ReceivedBody {
    /// The content, up to this many bytes.
    static let keptLimit = 64 * 1024

    private(set) var size: UInt64 = 0
    /// Hexadecimal digits.
    private(set) var sha256 = ""
    /// The content, if it is not larger than `keptLimit`.
    private(set) var content: [UInt8] = []

    var isKept: Bool { size <= UInt64(Self.keptLimit) }

    /// Reads all of it; the client is not read from faster than the bytes are hashed.
    static func read(from exchange: ServerExchange) async throws(ExchangeFailure) -> ReceivedBody {
        var body = ReceivedBody()
        guard !exchange.isBodyRead else {
            body.sha256 = emptySHA256
            return body
        }
        let hash = SHA256()
        try await exchange.readBody { piece in
            hash.update(piece)
            body.size += UInt64(piece.count)
            if body.isKept { piece.withUnsafeBufferPointer { body.content.append(contentsOf: $0) } }
        }
        if !body.isKept { body.content = [] }
        body.sha256 = hash.finish().hex
        return body
    }

    private static let emptySHA256 = SHA256().finish().hex
}

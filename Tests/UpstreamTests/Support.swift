import EventLoop
import HTTP
import Telemetry
import Upstream

/// Runs `body` with a client on a fresh loop; both are gone afterwards.
func withClient<Result: Sendable>(
    _ configure: @Sendable (inout UpstreamConfiguration) -> Void = { _ in },
    _ body: @escaping @Sendable (UpstreamClient) async throws -> Result
) async throws -> Result {
    var configuration = UpstreamConfiguration()
    configuration.connectTimeout = .seconds(60)
    configure(&configuration)
    let settings = configuration
    let loop = try EventLoop(name: "test")
    loop.start()
    defer { loop.stop() }
    return try await withCheckedThrowingContinuation { continuation in
        loop.spawn {
            do {
                let client = try UpstreamClient(loop: loop, configuration: settings)
                defer { client.shutdown() }
                continuation.resume(returning: try await body(client))
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}

/// A request for `http://127.0.0.1:port/`; `fields` default to `Host` alone.
func request(
    _ method: String = "GET", port: UInt16, host: String = "127.0.0.1", target: String = "/",
    scheme: Scheme = .http, fields: [(String, String)]? = nil, framing: BodyFraming = .none
) -> OutboundRequest {
    let text = Array("\(host.contains(":") ? "[\(host)]" : host):\(port)".utf8)
    guard let authority = try? Authority(parsing: text.span, defaultPort: nil) else {
        preconditionFailure("not an authority: \(host)")
    }
    var list = Fields()
    for (name, value) in fields ?? [("Host", "\(host):\(port)")] {
        let (name, value) = (Array(name.utf8), Array(value.utf8))
        list.append(name: name.span, value: value.span)
    }
    let bytes = Array(method.utf8)
    return OutboundRequest(
        scheme: scheme, authority: authority, method: Method(bytes.span), methodBytes: bytes,
        target: Array(target.utf8),
        fields: list, framing: framing)
}

/// What came of an exchange.
struct Answer: Sendable {
    var status = 0
    var fields: [String] = []
    var body: [UInt8] = []
    var trailers: [String] = []
    var interims: [Int] = []
    var attempts = 0
    var error: UpstreamError?

    var text: String { latin1(body) }
}

extension UpstreamClient {
    /// Sends `request` with `body` and takes the whole answer.
    func perform(_ request: OutboundRequest, body: [String] = [], trailers: Fields? = nil) async -> Answer {
        var answer = Answer()
        var interims: [Int] = []
        let exchange = start(request) { interims.append($0.status) }
        do throws(UpstreamError) {
            for part in body {
                let bytes = Array(part.utf8)
                exchange.sendBody(bytes.span)
                try await exchange.bodyDrained()
            }
            exchange.finishBody(trailers: trailers)
            try await exchange.responseHead()
            answer.status = exchange.head.status
            answer.fields = lines(of: exchange.head.fields)
            repeat { exchange.take(into: &answer.body) } while try await exchange.receive()
            exchange.take(into: &answer.body)
            answer.trailers = lines(of: exchange.trailers)
        } catch {
            exchange.take(into: &answer.body)
            answer.error = error
        }
        answer.attempts = exchange.attempts
        answer.interims = interims
        return answer
    }
}

extension Exchange {
    /// Moves what has been received to `bytes`.
    func take(into bytes: inout [UInt8]) {
        let count = inbound.count
        inbound.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        consume(count)
    }
}

func lines(of fields: Fields) -> [String] {
    (0..<fields.count).map { index in
        let name = fields.name(index).withUnsafeBufferPointer { latin1($0) }
        let value = fields.value(index).withUnsafeBufferPointer { latin1($0) }
        return "\(name): \(value)"
    }
}

/// Waits, on the loop, until `condition` holds, a minute at most.
func eventually(_ loop: EventLoop, _ condition: () -> Bool) async -> Bool {
    for _ in 0..<6000 {
        if condition() { return true }
        await loop.sleep(for: .milliseconds(10))
    }
    return condition()
}

/// The bytes of a request as the recipes want them: method, target and fields, nothing else.
func head(_ lines: String...) -> String { lines.joined(separator: "\r\n") + "\r\n\r\n" }

/// A flag that a server's thread sets and a test reads.
final class Ended: Sendable {
    private let flag = Lock(false)
    var isSet: Bool { flag.withLock { $0 } }
    func set() { flag.withLock { $0 = true } }
}

/// Values that are handed out one after the other, from any thread; the last for ever.
final class Turn<Value: Sendable>: Sendable {
    private let rest: Lock<[Value]>

    init(_ values: [Value]) { rest = Lock(values) }

    func next() -> Value { rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
}

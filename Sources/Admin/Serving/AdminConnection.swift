internal import EventLoop
internal import HTTP

/// One client of the admin listener: takes whole requests off its connection, one after the other, and has each one
/// answered. Small and strict: what is large, slow or unusual is refused. Confined to its loop.
final class AdminConnection {
    private let stream: Stream
    private let loop: EventLoop
    private let answer: (AdminRequest) async -> AdminAnswer

    private var parser = RequestHeadParser(limits: AdminConnection.headLimits)
    private var head = RequestHead()
    private var outgoing: [UInt8] = []
    /// Whether a whole request is being worked on.
    private(set) var isAnswering = false

    static let headLimits = HeadLimits(headBytes: 32 * 1024, headFields: 100)
    static let bodyLimit: UInt64 = 64 * 1024
    /// From the first byte of a request to its last.
    static let requestTime = Duration.seconds(10)
    /// Between requests.
    static let restTime = Duration.seconds(60)

    init(_ stream: Stream, on loop: EventLoop, _ answer: @escaping (AdminRequest) async -> AdminAnswer) {
        self.stream = stream
        self.loop = loop
        self.answer = answer
    }

    func run() async {
        defer { stream.close() }
        do throws(StreamError) {
            while try await serveNext() { try await stream.drained() }
            try await end()
        } catch {
            return  // the client is gone, or too slow
        }
    }

    /// False: the connection is to be closed.
    private func serveNext() async throws(StreamError) -> Bool {
        let stream = stream
        if stream.inbound.isEmpty, !(try await stream.receive(within: Self.restTime)) { return false }
        let deadline = loop.now + Self.requestTime
        parser.reset()
        do throws(HTTPError) {
            while true {
                if let length = try parser.parse(stream.inbound, into: &head) {
                    stream.consume(length)
                    break
                }
                if !(await more(before: deadline)) { return false }
            }
        } catch {
            return send(AdminAnswer(error: "bad_request", "\(error.reason)", status: error.status), keeps: false)
        }
        guard var request = AdminRequest(head) else {
            return send(
                AdminAnswer(
                    error: "not_a_proxy", "this is the admin listener of waf-token-proxy, not the proxy", status: 400),
                keeps: false)
        }
        switch head.framing {
        case .none, .length(0): break
        case .chunked:
            return send(
                AdminAnswer(error: "length_required", "a body needs Content-Length", status: 411), keeps: false)
        case .length(let length):
            guard length <= Self.bodyLimit else {
                return send(AdminAnswer(error: "too_large", "the body is too large", status: 413), keeps: false)
            }
            if head.expectsContinue { stream.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
            while stream.inbound.count < Int(length) {
                if !(await more(before: deadline)) { return false }
            }
            request.body = stream.inbound.extracting(first: Int(length)).withUnsafeBufferPointer { Array($0) }
            stream.consume(Int(length))
        }
        isAnswering = true
        defer { isAnswering = false }
        return send(await answer(request), keeps: head.keepAlive)
    }

    private func more(before deadline: Duration) async -> Bool {
        let left = deadline - loop.now
        guard left > .zero else { return false }
        do throws(StreamError) { return try await stream.receive(within: left) } catch { return false }
    }

    /// Returns `keeps`.
    private func send(_ answer: AdminAnswer, keeps: Bool) -> Bool {
        outgoing.removeAll(keepingCapacity: true)
        answer.write(to: head.method, keeps: keeps, into: &outgoing)
        stream.send(outgoing)
        return keeps
    }

    /// A reset must not overtake the answer (RFC 9112 §9.6).
    private func end() async throws(StreamError) {
        let stream = stream
        try await stream.finishSending()
        var budget = 1 << 18
        while budget > 0 {
            let count = stream.inbound.count
            stream.consume(count)
            budget -= max(count, 1)
            if !(try await stream.receive(within: .seconds(1))) { return }
        }
    }
}

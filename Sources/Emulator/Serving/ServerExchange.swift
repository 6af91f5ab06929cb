internal import EventLoop
internal import HTTP

/// One request and its answer on a connection: the body is read and the answer written through it.
///
/// Knows framing, keep-alive and `Expect: 100-continue`; nothing of rules or applications. Confined to its loop.
final class ServerExchange {
    /// What becomes of the connection after the answer.
    enum Fate { case keep, close, reset }

    let channel: Channel
    let loop: EventLoop
    var head = RequestHead()
    var fate = Fate.keep
    /// Told the status before its head goes out.
    var willAnswer: ((Int) -> Void)?

    private var body = BodyState.done
    private var isContinueDue = false
    private var framing = AnswerFraming.none
    private var outgoing: [UInt8] = []

    private enum BodyState {
        case length(UInt64)
        case chunked(ChunkedDecoder)
        case done
    }

    private enum AnswerFraming { case none, length, chunked, untilClose }

    /// How long a client may stay silent in the middle of a body.
    private static let silence = Duration.seconds(60)
    /// An unread body of up to this length is read and dropped after the answer, so that the connection goes on.
    private static let drainLimit: UInt64 = 1 << 20

    init(channel: Channel, loop: EventLoop) {
        self.channel = channel
        self.loop = loop
    }

    /// Begins with the head that was just parsed.
    func begin() {
        fate = head.keepAlive ? .keep : .close
        switch head.framing {
        case .none, .length(0): body = .done
        case .length(let length): body = .length(length)
        case .chunked: body = .chunked(ChunkedDecoder())
        }
        isContinueDue = head.expectsContinue && !isBodyRead
    }

    // MARK: The request

    /// Path and query as they came, whatever form the target has.
    var target: String {
        var bytes: [UInt8] = []
        head.writeOriginForm(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value of the first field of a kind.
    func value(_ field: KnownField) -> String? {
        guard let index = head.fields.index(of: field) else { return nil }
        let fields = head.fields
        return fields.value(index).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    var isBodyRead: Bool { if case .done = body { true } else { false } }

    /// Reads all of the body that has not been read, lending it in pieces. Each piece is used before more is received.
    func readBody(_ sink: (Span<UInt8>) -> Void) async throws(ExchangeFailure) {
        let channel = channel
        if isContinueDue {
            isContinueDue = false
            if channel.inbound.isEmpty { channel.send(Self.continueHead.span) }
        }
        while !isBodyRead {
            try take(sink)
            if isBodyRead { break }
            do throws(ChannelFailure) {
                guard try await channel.receive(within: Self.silence) else { throw .broken }
            } catch {
                throw .connection
            }
        }
    }

    private static let continueHead = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    private func take(_ sink: (Span<UInt8>) -> Void) throws(ExchangeFailure) {
        let channel = channel
        switch body {
        case .done: break
        case .length(let left):
            let count = Int(min(left, UInt64(channel.inbound.count)))
            if count > 0 { sink(channel.inbound.extracting(first: count)) }
            channel.consume(count)
            body = left == UInt64(count) ? .done : .length(left - UInt64(count))
        case .chunked(var decoder):
            body = .done  // one owner of the decoder's buffers
            do throws(HTTPError) {
                let count = try decoder.decode(channel.inbound, sink)
                channel.consume(count)
            } catch {
                throw .malformed(error)
            }
            if !decoder.isFinished { body = .chunked(decoder) }
        }
    }

    /// Decides, before an answer that does not wait for the body, whether the connection can go on: only if the rest is
    /// known to be short and certain to come.
    func answerEarly() {
        switch body {
        case .done: break
        case .length(let left) where left <= Self.drainLimit && !isContinueDue: break
        default: fate = .close
        }
    }

    // MARK: The answer

    /// A whole answer at once. Content of a HEAD request stays out, its length does not.
    func answer(
        _ status: Int, type: String? = nil, fields: [(StaticString, String)] = [], body content: [UInt8] = []
    ) {
        var response = ResponseHead()
        response.status = status
        let hasContent = status != 204 && status != 304
        if hasContent, let type { response.fields.append("Content-Type", type) }
        for (name, value) in fields { response.fields.append(name, value) }
        if hasContent { response.fields.append("Content-Length", "\(content.count)") }
        write(&response)
        if hasContent, head.method != .head { outgoing.append(contentsOf: content) }
        flush()
    }

    /// Begins an answer whose content follows in pieces. Without a length it is chunked, or for HTTP/1.0 it ends with the
    /// connection.
    func beginAnswer(_ status: Int, type: String, fields: [(StaticString, String)] = [], length: UInt64? = nil) {
        var response = ResponseHead()
        response.status = status
        response.fields.append("Content-Type", type)
        for (name, value) in fields { response.fields.append(name, value) }
        if let length {
            response.fields.append("Content-Length", "\(length)")
            framing = .length
        } else if head.version == .http11 {
            response.fields.append("Transfer-Encoding", "chunked")
            framing = .chunked
        } else {
            framing = .untilClose
            fate = .close
        }
        write(&response)
        if head.method == .head { framing = .none }
        flush()
    }

    /// Sends a piece of the content and waits until more may be sent.
    func send(_ content: Span<UInt8>) async throws(ExchangeFailure) {
        guard framing != .none, content.count > 0 else { return }
        if framing == .chunked {
            ChunkedEncoder.begin(chunkOf: content.count, into: &outgoing)
            content.withUnsafeBufferPointer { outgoing.append(contentsOf: $0) }
            ChunkedEncoder.endChunk(into: &outgoing)
            flush()
        } else {
            channel.send(content)
        }
        try await drained()
    }

    /// Waits until more may be sent.
    func drained() async throws(ExchangeFailure) {
        do throws(ChannelFailure) { try await channel.drained() } catch { throw .connection }
    }

    /// Ends an answer that was begun.
    func endAnswer(trailers: Fields = Fields()) {
        if framing == .chunked {
            ChunkedEncoder.end(trailers: trailers, into: &outgoing)
            flush()
        }
        framing = .none
    }

    /// Sends an answer's head alone: what follows is not HTTP.
    func switchProtocols(_ fields: [(StaticString, String)]) {
        var response = ResponseHead()
        response.status = 101
        for (name, value) in fields { response.fields.append(name, value) }
        willAnswer?(101)
        HeadWriter.write(response: response, into: &outgoing)
        flush()
    }

    private func write(_ response: inout ResponseHead) {
        if fate == .close { response.fields.append("Connection", "close") }
        willAnswer?(response.status)
        HeadWriter.write(response: response, into: &outgoing)
    }

    private func flush() {
        channel.send(outgoing.span)
        if outgoing.count > 1 << 16 { outgoing = [] } else { outgoing.removeAll(keepingCapacity: true) }
    }
}

/// Why an exchange cannot be completed.
enum ExchangeFailure: Error {
    /// The client left, or fell silent.
    case connection
    /// The client broke the framing of its body.
    case malformed(HTTPError)
}

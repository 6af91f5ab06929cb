internal import EventLoop
internal import HTTP
internal import Upstream

/// Reads one request's body from the client and hands each byte to the exchange that is attached and to the copy for a
/// replay. Runs as a task of its own, so that an early answer is seen while the body still comes.
///
/// Confined to the loop. Does not know why an exchange is attached or taken away.
final class RequestBodyPump {
    /// How far the body has come.
    enum Outcome {
        /// Every byte was read and the framing was right.
        case whole
        /// The client broke the framing.
        case malformed(HTTPError)
        /// The client left, or fell silent.
        case clientGone
        /// Nobody wants the rest.
        case stopped
    }

    private let stream: Stream
    private let limit: Duration
    private var decoder: BodyDecoder
    private let copy: ReplayBuffer?
    private var exchange: Exchange?
    private var waiter: UnsafeContinuation<Void, Never>?
    /// The body is read into the copy at the client's pace, whatever the exchange takes of it.
    private var isCollecting = false
    private var isStopping = false
    private(set) var outcome: Outcome?
    /// Body bytes that came, framing not counted.
    private(set) var bytesRead: UInt64 = 0
    /// The beginning of the body, where somebody wants to look at it; nil where nothing came.
    private(set) var sample: [UInt8]?
    private let sampleLimit: Int

    init(stream: Stream, framing: BodyFraming, copy: ReplayBuffer?, silenceLimit: Duration, sampleLimit: Int = 0) {
        self.sampleLimit = sampleLimit
        self.stream = stream
        self.copy = copy
        limit = silenceLimit
        decoder = BodyDecoder(framing)
    }

    /// Whether the copy holds, or will hold, the whole body.
    var canReplay: Bool { copy.map { $0.state != .tooLarge } ?? false }
    var hasReadNothing: Bool { bytesRead == 0 }

    func start(on loop: EventLoop) {
        nonisolated(unsafe) let this = self  // runs on the same loop
        loop.spawn { await this.run() }
    }

    /// Sends what the copy has, then all that comes, to `exchange`. A new exchange needs a complete copy so far.
    func attach(_ exchange: Exchange) {
        if let copy, copy.count > 0 { exchange.sendBody(copy.span) }
        switch outcome {
        case nil: self.exchange = exchange
        case .whole: exchange.finishBody(trailers: copy?.trailers)
        case .malformed, .clientGone, .stopped: exchange.cancel()  // the rest will never come
        }
    }

    /// Reads on into the copy, also where the exchange takes no more. Returns when the body is whole, cannot become so,
    /// or is too large for the copy; the exchange then gets the rest as before.
    func collect() async {
        isCollecting = true
        exchange?.wakeSender()
        while outcome == nil, canReplay { await nextStep() }
        isCollecting = false
    }

    /// Whether the body was read to its end, so that the next request begins behind it.
    var isWhole: Bool {
        if case .whole = outcome { true } else { false }
    }

    /// Ends the reading wherever it is, and waits for that: a stream has one reader, and the connection goes on with it.
    func stop() async {
        if outcome != nil { return }
        isStopping = true
        exchange?.cancel()
        exchange = nil
        stream.stopWaiting()
        while outcome == nil { await nextStep() }
    }

    /// Waits until the body has come to its end, or has become too large for the copy.
    private func nextStep() async {
        precondition(waiter == nil, "two wait for one body")
        await withUnsafeContinuation { waiter = $0 }
    }

    private func tellStep() {
        waiter?.resume()
        waiter = nil
    }

    private func run() async {
        let result = await readAll()
        outcome = result
        switch result {
        case .whole:
            copy?.finish(trailers: decoder.trailers)
            exchange?.finishBody(trailers: decoder.trailers)
        case .malformed, .clientGone, .stopped:
            exchange?.cancel()
        }
        exchange = nil
        tellStep()
    }

    private func readAll() async -> Outcome {
        let stream = stream
        while true {
            if isStopping { return .stopped }
            do throws(HTTPError) {
                let consumed = try decoder.decode(stream.inbound) { bytes in
                    bytesRead += UInt64(bytes.count)
                    if sampleLimit > 0 { FlowSample.append(bytes, to: &sample, limit: sampleLimit) }
                    copy?.append(bytes)
                    exchange?.sendBody(bytes)
                }
                stream.consume(consumed)
            } catch {
                return .malformed(error)
            }
            if decoder.isFinished { return .whole }
            if !canReplay { tellStep() }
            if let exchange, exchange.isCongested, !isCollecting {
                // When the exchange ends meanwhile the rest is read and dropped: the answer decides what follows.
                do throws(UpstreamError) { try await exchange.bodyDrained() } catch {
                    if self.exchange === exchange { self.exchange = nil }  // another one may be attached by now
                }
                continue
            }
            do throws(StreamError) {
                guard try await stream.receive(within: limit) else { return .clientGone }
            } catch {
                return isStopping ? .stopped : .clientGone
            }
        }
    }
}

/// A request body as its framing has it: bytes of the wire in, bytes of the body out.
struct BodyDecoder {
    private enum State {
        case length(UInt64)
        case chunked(ChunkedDecoder)
    }

    private var state: State

    init(_ framing: BodyFraming) {
        switch framing {
        case .none: state = .length(0)
        case .length(let length): state = .length(length)
        case .chunked: state = .chunked(ChunkedDecoder())
        }
    }

    var isFinished: Bool {
        switch state {
        case .length(let left): left == 0
        case .chunked(let decoder): decoder.isFinished
        }
    }

    /// Fields after a chunked body; nil where there were none.
    var trailers: Fields? {
        if case .chunked(let decoder) = state, decoder.trailers.count > 0 { decoder.trailers } else { nil }
    }

    /// Returns how many bytes of the wire were used.
    mutating func decode(_ bytes: Span<UInt8>, _ sink: (Span<UInt8>) -> Void) throws(HTTPError) -> Int {
        switch state {
        case .length(let left):
            let count = Int(min(UInt64(bytes.count), left))
            if count > 0 { sink(bytes.extracting(first: count)) }
            state = .length(left - UInt64(count))
            return count
        case .chunked(var decoder):
            state = .length(0)  // the decoder's buffers stay unshared while it works
            defer { state = .chunked(decoder) }
            return try decoder.decode(bytes, sink)
        }
    }
}

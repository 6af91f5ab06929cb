internal import CCurl
internal import EventLoop
internal import HTTP
internal import TLS

/// The answer: what callbacks bring in, what the receiving task sees.
extension Exchange {
    // MARK: For the receiving task

    /// Waits for the final response head, or the 101; `head` is then set. Returns at once when it is there.
    public func responseHead() async throws(UpstreamError) {
        if !hasHead {
            precondition(receiver == nil, "two receivers on one exchange")
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                receiverWish = .head
                receiver = continuation
            }
        }
        // A head that came before the failure is still worth having: `receive` tells of the failure.
        if case .failed(let error) = phase, !isHeadWhole { throw error }
    }

    /// Received bytes of the body that are not yet consumed: de-chunked, otherwise as they came.
    public var inbound: Span<UInt8> {
        @_lifetime(borrow self)
        get { _overrideLifetime(received.span, borrowing: self) }
    }

    /// Takes `count` bytes off the front of `inbound`.
    public func consume(_ count: Int) {
        received.consume(count)
        if pauseLevel > client.configuration.inboundHighWatermark, received.isEmpty {
            pauseLevel = client.configuration.inboundHighWatermark
        }
        if isReceivingPaused, !shouldStayPaused { poke() }
    }

    /// Waits until there is at least one byte more than when it last returned, or the end.
    ///
    /// false: the body has ended, as its framing says. Throws `bodyBroken` when it broke off, which is never a clean
    /// end. Bytes that came before are in `inbound` in every case.
    public func receive() async throws(UpstreamError) -> Bool {
        if !hasNews {
            precondition(receiver == nil, "two receivers on one exchange")
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                receiverWish = .news
                receiver = continuation
                if isReceivingPaused { poke() }  // whoever asks for more gets more, over the watermark too
            }
        }
        if receivedBytes > seenBytes {
            seenBytes = receivedBytes
            if !received.isEmpty { return true }
        }
        if case .failed(let error) = phase { throw error }
        if isOver || inboundHasEnded { return false }
        return try await receive()
    }

    /// Waits until the request, too, is over: an answer may end while the origin still takes the body.
    public func finished() async throws(UpstreamError) {
        if !isOver {
            precondition(receiver == nil, "two receivers on one exchange")
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                receiverWish = .end
                receiver = continuation
            }
        }
        if case .failed(let error) = phase { throw error }
    }

    /// Whether all of the body is in `inbound` already.
    public var isComplete: Bool {
        if case .complete = phase { return true }
        return false
    }

    // MARK: What waiters wait for

    var hasHead: Bool {
        if case .head = phase { return false }
        return true
    }

    var hasNews: Bool { receivedBytes > seenBytes || isOver || inboundHasEnded }

    /// Whether a paused transfer should stay paused: not when little is left, nor when somebody asks for more.
    var shouldStayPaused: Bool {
        if receiver != nil, receiverWish == .news, receivedBytes == seenBytes { return false }
        return received.count >= client.configuration.inboundHighWatermark / 4
    }

    // MARK: Callbacks

    /// One line of a head, or of the trailers. false ends the attempt.
    func didReceive(headerLine line: UnsafeRawBufferPointer, _ parser: inout ResponseHeadParser) -> Bool {
        if isEnding { return false }
        guard case .head = phase else { return didReceive(trailerLine: line) }
        headBytes += line.count
        guard headBytes <= client.configuration.responseHeadBytes else {
            fault = UpstreamError(.malformedResponse, "The response head is too large.")
            return false
        }
        do throws(HTTPError) {
            guard try parser.feed(Span(_unsafeBytes: line), requestMethod: requestMethod, into: &head) else {
                return true
            }
        } catch {
            fault = UpstreamError(.malformedResponse, "\(error.reason)")
            return false
        }
        parser.reset()
        return didReceiveHead()
    }

    private func didReceiveHead() -> Bool {
        if head.status == 101 {
            guard asksForUpgrade else {
                fault = UpstreamError(.malformedResponse, "The origin switched protocols without being asked.")
                return false
            }
            isUpgraded = true
        } else if head.status == 407, let way, way.asksParent, let parent = way.parent {
            fault = UpstreamError.refused(by: parent, status: 407)
            return false
        } else if head.status < 200 {
            if onInterim != nil {
                interims.append(head)
                head = ResponseHead()  // a copy would have room for the largest head so far, thousands of times
            }
            client.needsAttention(self)
            return true
        }
        phase = .body
        isHeadWhole = true
        if head.framing == .untilClose, let session = handle?.tlsSession {
            closeNotice = CloseNotice.watching(session)
        }
        lastMoved = client.loop.now
        waitingSince = nil
        nudge()
        client.needsAttention(self)
        return !endsAtHead
    }

    private func didReceive(trailerLine line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= client.configuration.responseHeadBytes else {
            fault = UpstreamError(.bodyBroken, "The response's trailers are too large.")
            return false
        }
        do throws(HTTPError) {
            _ = try FieldLine.append(trailer: Span(_unsafeBytes: line), to: &trailers)
        } catch {
            // A field that may not stand there is left out (RFC 9110 §6.5.1); the answer is no worse for it.
            if error.reason == .forbiddenTrailer { return true }
            fault = UpstreamError(.bodyBroken, "The response's trailers are malformed: \(error.reason).")
            return false
        }
        return true
    }

    /// Bytes of the body. Returns how many were taken: all of them, none to end the attempt, or CURL_WRITEFUNC_PAUSE.
    ///
    /// libcurl reads on for as long as the socket has bytes, 100 buffers and more, so the pause must come from here; it
    /// keeps what it could not hand over.
    func didReceive(body bytes: UnsafeRawBufferPointer) -> Int {
        if isEnding { return 0 }
        guard case .body = phase else {
            fault = UpstreamError(.malformedResponse, "The origin sent a body without a head.")
            return 0
        }
        if received.count >= pauseLevel {
            isReceivingPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        received.append(bytes.assumingMemoryBound(to: UInt8.self))
        receivedBytes += bytes.count
        lastMoved = client.loop.now
        client.needsAttention(self)
        return bytes.count
    }

    /// Hands interim heads on; the caller's code runs here.
    func deliverInterims() {
        if !interims.isEmpty {
            let heads = interims
            interims = []
            for head in heads { onInterim?(head) }
        }
        if hasHead, onInterim != nil { onInterim = nil }
    }

    /// libcurl's interest in the connection of a request with a body changed: without interest in reading, and not
    /// because we paused it, the answer is over. libcurl itself would not tell before our side is over too.
    func interestChanged(_ descriptor: Int32, canRead: Bool) {
        self.descriptor = descriptor
        if canRead { hasStoppedReading = false }
        guard !canRead, !isReceivingPaused, isHeadWhole, !hasStoppedReading else { return }
        // Once: what the nudge leads to, a pause again, is a change of interest as well.
        hasStoppedReading = true
        // Where the end of the connection is the end of the body, only libcurl knows whether it was an orderly one.
        if isUpgraded || head.framing != .untilClose { inboundHasEnded = true }
        nudge()
        client.needsAttention(self)
    }
}

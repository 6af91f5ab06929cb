internal import CCurl
internal import EventLoop
internal import Glibc
public import HTTP
internal import Telemetry

/// The request: the body on its way out, and the rules that are asked just before it goes.
extension Exchange {
    // MARK: For the sending task

    /// Queues bytes of the body, in order. Dropped when the exchange is over or has no body.
    public func sendBody(_ bytes: Span<UInt8>) {
        guard hasBody, !isOver, bytes.count > 0 else { return }
        precondition(!isBodyFinished, "bytes after the end of the body")
        if outbound.isEmpty { lastTaken = client.loop.now }
        outbound.append(bytes)
        if isSendingPaused { poke() }
    }

    /// Whether the caller should wait (`bodyDrained`) before it sends more.
    public var isCongested: Bool { !isOver && outbound.count >= client.configuration.outboundHighWatermark }

    /// Bytes of the body that libcurl has not taken yet.
    public var unsentBytes: Int { outbound.count }

    /// Waits until less than a quarter of the high watermark is queued. Returns at once where it is not congested, after
    /// `wakeSender`, and when the exchange completed without the rest of the body; throws when it failed.
    public func bodyDrained() async throws(UpstreamError) {
        if isCongested {
            precondition(sender == nil, "two senders on one exchange")
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in sender = continuation }
        }
        if case .failed(let error) = phase { throw error }
    }

    /// Whoever waits in `bodyDrained` goes on at once, whatever is queued.
    public func wakeSender() {
        sender?.resume()
        sender = nil
    }

    /// The body has ended. `trailers` go out after a chunked one.
    ///
    /// A body that ends short of its `Content-Length` ends the exchange instead (`cancelled`).
    public func finishBody(trailers: Fields? = nil) {
        guard hasBody, !isBodyFinished else { return }
        isBodyFinished = true
        guard !isOver else { return }
        if let remainingLength, UInt64(outbound.count) < remainingLength {
            return end(UpstreamError(.cancelled, "The request body ended before its length was reached."))
        }
        if let trailers, trailers.count > 0, remainingLength == nil, !asksForUpgrade, let handle {
            requestTrailers = trailers
            handle.announceTrailers()
        }
        if isSendingPaused { poke() }
    }

    // MARK: What waiters and pauses depend on

    var canTakeMore: Bool { isOver || outbound.count <= client.configuration.outboundHighWatermark / 4 }

    /// Where libcurl has decided to send no more (an error answer, a connection that will close), a pause of ours still
    /// keeps it from finishing; resumed once, it either finishes or asks for bytes and is paused again.
    func nudge() {
        if isSendingPaused { needsNudge = true }
    }

    /// Whether libcurl's read callback would get an answer now.
    var canGiveBody: Bool {
        if asksForUpgrade, !isUpgraded { return isHeadWhole }
        return !outbound.isEmpty || isBodyFinished
    }

    // MARK: Callbacks

    /// libcurl wants request bytes: returns how many were written, 0 at the end, or a CURL_READFUNC value.
    func takeBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if isEnding { return Int(CURL_READFUNC_ABORT) }
        if asksForUpgrade, !isUpgraded {
            // Nothing goes out before the 101; another answer ends the request.
            if isHeadWhole { return 0 }
            isSendingPaused = true
            return Int(CURL_READFUNC_PAUSE)
        }
        if outbound.isEmpty {
            guard isBodyFinished else {
                isSendingPaused = true
                return Int(CURL_READFUNC_PAUSE)
            }
            didTakeLastByte()
            return 0
        }
        var count = min(outbound.count, buffer.count)
        if let left = remainingLength {
            count = Int(min(UInt64(count), left))
            remainingLength = left - UInt64(count)
        }
        _overrideLifetime(outbound.span, borrowing: self).withUnsafeBytes { source in
            buffer.baseAddress!.copyMemory(from: source.baseAddress!, byteCount: count)
        }
        outbound.consume(count)
        lastTaken = client.loop.now
        lastMoved = lastTaken
        hasTakenBody = true
        if remainingLength == 0 { didTakeLastByte() }
        if sender != nil, canTakeMore { client.needsAttention(self) }
        return count
    }

    private func didTakeLastByte() {
        if !hasHead { waitingSince = client.loop.now }
        // libcurl does not half-close; on an upgraded connection the end of our side must arrive.
        if isUpgraded, isPlain, way?.parent?.kind != .https, descriptor >= 0 {
            _ = shutdown(descriptor, Int32(SHUT_WR))
        }
    }

    /// The connection stands; false keeps the request from going out.
    func willSend(to peer: SocketAddress?) -> Bool {
        if isEnding { return false }
        attempts += 1
        peerAddress = peer
        if attempts > 1 { handle?.forgetError() }
        if attempts > 1, !isIdempotent {
            fault = UpstreamError(
                .resendRefused, "The pooled connection died and the request may not be sent a second time.")
            return false
        }
        if isBehindParent { return willGoOut() }
        if requiresPrivatePeer, peer?.isPrivate != true {
            fault = UpstreamError(.clearTextRefused, "The request may only go to a private address.")
            return false
        }
        if refusesLoopback, peer.map({ isForbiddenLoopback($0) }) ?? true {
            fault = UpstreamError(.destinationProhibited, "\(Self.loopbackRefusal)")
            return false
        }
        return willGoOut()
    }

    /// A parent hides the origin's address: what leads there was judged by name before (`Way.judge`).
    private var isBehindParent: Bool { way?.parent != nil }

    private func willGoOut() -> Bool {
        hasGoneOut = true
        if !hasBody || asksForUpgrade { waitingSince = client.loop.now }
        return true
    }

    private static let loopbackRefusal: StaticString =
        "loopback destinations are for clients on loopback; list them in access.allowDestinations"

    private func isForbiddenLoopback(_ address: SocketAddress) -> Bool {
        address.isLoopback && !client.configuration.isLoopbackListed(address, authority)
    }

    /// One address is about to be connected; false forbids it, and the next one is tried.
    func mayConnect(to address: SocketAddress?) -> Bool {
        guard let address, !isEnding else { return false }
        if isBehindParent {
            guard let reason = client.configuration.judgeParent(address) else { return true }
            refusedAddress = (address, reason)
            return false
        }
        if let reason = client.configuration.judgeDestination(address, authority) {
            refusedAddress = (address, reason)
            return false
        }
        if refusesLoopback, isForbiddenLoopback(address) {
            refusedAddress = (address, Self.loopbackRefusal)
            return false
        }
        return true
    }

    /// Lines of the form `Name: value`; libcurl wants the space.
    func forEachRequestTrailer(_ body: (UnsafePointer<CChar>) -> Void) {
        guard let requestTrailers else { return }
        var line: [CChar] = []
        for index in 0..<requestTrailers.count {
            line.removeAll(keepingCapacity: true)
            append(requestTrailers.name(index), to: &line)
            line.append(CChar(UInt8(ascii: ":")))
            line.append(CChar(UInt8(ascii: " ")))
            append(requestTrailers.value(index), to: &line)
            line.append(0)
            line.withUnsafeBufferPointer { body($0.baseAddress!) }
        }
    }

    private func append(_ bytes: Span<UInt8>, to line: inout [CChar]) {
        for index in bytes.indices { line.append(CChar(bitPattern: bytes[index])) }
    }
}

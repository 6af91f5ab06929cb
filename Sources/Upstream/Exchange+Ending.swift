internal import CCurl
internal import EventLoop
internal import HTTP
internal import TLS

/// How an exchange comes to its end: its time limits, the caller, a fault, libcurl's result.
extension Exchange {
    /// Ends the exchange with `deadlineExceeded` when it is not over after `limit`.
    public func setDeadline(after limit: Duration) {
        deadline = client.loop.now + limit
        client.sweep(within: limit)
    }

    /// From now on the exchange ends with `responseTimeout` when no byte of either body moves for `limit`.
    public func limitSilence(to limit: Duration) {
        silenceLimit = limit
        lastMoved = client.loop.now
        client.sweep(within: limit)
    }

    /// Ends the attempt now; its connection is closed unless the answer was complete. Safe at any moment.
    public func cancel() {
        end(UpstreamError(.cancelled, "The exchange was cancelled."))
    }

    /// Ends the attempt with `error`, unless it is over already.
    func end(_ error: UpstreamError) {
        guard !isOver else { return }
        guard client.canCallLibcurl else {
            pendingEnd = pendingEnd ?? error
            client.needsAttention(self)
            return
        }
        fail(error)
        if let handle { client.release(handle) }
        if client.needsTimeout { client.kick() }
    }

    /// The attempt is over, nothing of it is with libcurl any more or will be in a moment.
    func fail(_ error: UpstreamError) {
        guard !isOver else { return }
        phase = .failed(error)
        onInterim = nil
        interims = []
        resumeWaiters()
    }

    /// libcurl has finished with `result`; the handle is taken away right after this.
    func didFinish(_ result: CURLcode) {
        guard !isOver, let handle else { return }
        if let error = pendingEnd ?? fault {
            phase = .failed(error)
        } else if result == CURLE_OK || (endsAtHead && isHeadWhole) {
            if case .body = phase {
                phase = hasBrokenOff ? .failed(Self.endWithoutNotice) : .complete
            } else {
                phase = .failed(UpstreamError(.closedEarly, "The connection ended before the response head was whole."))
            }
        } else if result == CURLE_COULDNT_CONNECT, let refused = refusedAddress {
            phase = .failed(
                UpstreamError(.destinationProhibited, "\(refused.address.host): \(refused.reason)"))
        } else if attempts == 0, let parent = way?.parent, let error = UpstreamError.from(result, parent, handle) {
            phase = .failed(error)
        } else {
            var hasHead = false
            if case .body = phase { hasHead = true }
            var error = UpstreamError.from(
                result, text: handle.errorDescription, systemError: handle.systemError, isConnected: attempts > 0,
                hasHead: hasHead)
            if error.code == .certificate, let reason = handle.verification?.reason(askedFor: authority.host) {
                error = UpstreamError(.certificate, reason)
            }
            phase = .failed(error)
        }
        client.needsAttention(self)
    }

    /// Over TLS a body that ends with the connection is whole only where the origin said so (RFC 9112 §9.8).
    private var hasBrokenOff: Bool {
        guard let closeNotice else { return false }
        return !closeNotice.hasCome
    }

    private static let endWithoutNotice = UpstreamError(
        .bodyBroken, "The connection ended without close_notify: the body may have been cut off.")

    /// Which of our own time limits has passed.
    func missedDeadline(_ now: Duration) -> UpstreamError.Code? {
        if let deadline, now >= deadline { return .deadlineExceeded }
        if let waitingSince, now - waitingSince >= client.configuration.responseHeadTimeout { return .responseTimeout }
        // An origin that takes no more of the body is as silent as one that does not answer.
        if !isHeadWhole, !outbound.isEmpty, now - lastTaken >= client.configuration.responseHeadTimeout {
            return .responseTimeout
        }
        if let silenceLimit, !isReceivingPaused, now - lastMoved >= silenceLimit {
            return .responseTimeout
        }
        return nil
    }
}

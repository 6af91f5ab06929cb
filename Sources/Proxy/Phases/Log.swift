internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream
internal import WAFTokens

/// Phase *log*: runs for every request, whatever became of it.
extension RequestContext {
    /// Copies what the log says of the request before *rewrite* changes it.
    func describeRequest() {
        guard worker.logger.writesAccess else { return }
        head.describe(in: &record)
    }

    func log(started: Duration) {
        let logger = worker.logger
        guard logger.writesAccess else { return }
        record.bytesIn = max(record.bytesIn, pump?.bytesRead ?? 0)
        record.durationMicroseconds = (EventLoop.preciseNow - started).wholeMicroseconds
        if case .token(let snapshot) = attachment, hasSent { record.token = snapshot.token.fingerprint }
        if record.error == nil { record.error = note?.rawValue }
        logger.access(record)
    }
}

extension RequestContext {
    /// Whether a request has gone out on a connection: before that nobody has seen its token.
    private var hasSent: Bool {
        guard let exchange else { return false }
        return exchange.hasGoneOut
    }
}

extension RequestHead {
    fileprivate func describe(in record: inout AccessRecord) {
        record.setMethod(methodBytes.span)
        // The target of a CONNECT is the authority, which the log shows as host and port.
        if method != .connect { record.setPath(pathBytes) }
    }
}

extension Duration {
    /// Rounded down, never negative.
    var wholeMicroseconds: UInt64 {
        let (seconds, attoseconds) = components
        return seconds < 0 ? 0 : UInt64(seconds) * 1_000_000 + UInt64(max(attoseconds, 0) / 1_000_000_000_000)
    }
}

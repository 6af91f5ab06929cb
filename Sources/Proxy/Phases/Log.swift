internal import EventLoop
internal import HTTP
internal import Telemetry
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
        if case .token(let snapshot) = attachment { record.token = snapshot.token.fingerprint }
        if record.error == nil { record.error = note?.rawValue }
        logger.access(record)
    }
}

extension RequestHead {
    fileprivate func describe(in record: inout AccessRecord) {
        record.setMethod(methodBytes.span)
        record.setPath(pathBytes)
    }
}

extension Duration {
    /// Rounded down, never negative.
    var wholeMicroseconds: UInt64 {
        let (seconds, attoseconds) = components
        return seconds < 0 ? 0 : UInt64(seconds) * 1_000_000 + UInt64(max(attoseconds, 0) / 1_000_000_000_000)
    }
}

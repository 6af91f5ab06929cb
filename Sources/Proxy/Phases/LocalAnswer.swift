internal import EventLoop
internal import HTTP
internal import Telemetry

/// Requests for the proxy's own page (`LocalPage`): answered here, sent nowhere.
extension RequestContext {
    /// Whether the request is for it. Inside a tunnel nobody reaches it.
    var isForLocalPage: Bool {
        guard case .absolute(_, let authority, _) = head.target, LocalPage.lengths.contains(authority.count),
            connection.inside == nil
        else { return false }
        let target = head.targetBytes
        return LocalPage.isMeant(by: target.span.extracting(authority))
    }

    func answerLocalPage() -> ClientConnection.Fate {
        record.host = LocalPage.host
        record.port = 80
        record.scheme = "http"
        hasAnswered = true
        var response = ResponseHead()
        var body: [UInt8] = []
        let asked = head
        let path = asked.pathBytes.withUnsafeBufferPointer { $0.isEmpty ? [UInt8(ascii: "/")] : Array($0) }
        if head.method != .get, head.method != .head {
            response.status = 405
            response.fields.append("Allow", "GET, HEAD")
        } else if let file = configuration.localPage.file(path.span) {
            body = file.bytes
            response.fields.append("Content-Type", "\(file.type)")
            response.fields.append(
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors 'none'")
            response.fields.append("X-Content-Type-Options", "nosniff")
            if let name = file.saveAs { response.fields.append("Content-Disposition", "\(name)") }
        } else {
            response.status = 404
        }
        record.status = response.status
        let keeps = !hasUnreadBody && head.keepAlive && !worker.isDraining
        response.fields.append("Content-Length", "\(body.count)")
        response.fields.append("Cache-Control", "no-store")
        if !keeps { response.fields.append("Connection", "close") }
        worker.outgoing.removeAll(keepingCapacity: true)
        HeadWriter.write(response: response, into: &worker.outgoing)
        if head.method != .head { worker.outgoing += body }
        connection.stream.send(worker.outgoing)
        return keeps ? .keep : .close
    }
}

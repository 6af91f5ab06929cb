internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream
internal import WAFTokens

/// One request on its way through the phases: accept, route, rewrite, send, judge, refresh and replay, stream, log.
///
/// Holds what the phases hand on to each other, and the buffers that the next request uses again. Each phase is an
/// extension in a file of its own; `serve` is the order in which they run. Confined to its loop.
final class RequestContext {
    /// What the client sent; *rewrite* turns its fields into what goes out.
    var head = RequestHead()
    var record = AccessRecord()
    /// What operators may see of it; filled when it is over.
    var flow = FlowEntry()
    var connection: ClientConnection!
    /// What this request goes by, whatever is reloaded meanwhile.
    private(set) var rules: Rules!

    /// Set by *route*.
    var route: Route?
    /// What is attached, if anything is; set by *rewrite*.
    var attachment = Attachment.none
    /// The body of the request; nil where it has none.
    var pump: RequestBodyPump?
    /// The attempt that is under way, or the last one.
    var exchange: Exchange?
    /// Reason that goes into `Proxy-Status` of an answer that is passed on although something could not be done.
    var note: ReasonCode?
    /// Whether any byte of the answer has gone out; from then on a fault cannot be told by a status.
    var hasAnswered = false

    /// Whether the log gets a line of it; does not change on the way.
    private(set) var isLogged = false
    /// Whether anybody wants to know method and path.
    var isDescribed: Bool { isLogged || worker.keepsFlows }

    private var started = Duration.zero

    var worker: Worker { connection.worker }
    var configuration: ProxyConfiguration { rules.configuration }

    func begin(on connection: ClientConnection) {
        self.connection = connection
        rules = connection.worker.rules
        started = EventLoop.preciseNow
        isLogged = connection.worker.logger.writesAccess
        record.client = connection.clientAddress
    }

    func reset() {
        head.fields.removeAll()
        record.reset()
        connection = nil
        rules = nil
        route = nil
        attachment = .none
        pump = nil
        exchange = nil
        note = nil
        hasAnswered = false
    }

    /// Runs every phase after *accept*; a refusal that is known already goes straight to the answer.
    func serve(refusal: Refusal?) async -> ClientConnection.Fate {
        let fate: ClientConnection.Fate
        describeRequest()
        if let refusal {
            fate = await answer(refusal)
        } else {
            fate = await forwardOrTunnel()
        }
        await pump?.stop()
        log(started: started)
        return fate
    }

    private func forwardOrTunnel() async -> ClientConnection.Fate {
        do throws(RefusalError) {
            try await admitUser()
            if isForLocalPage { return answerLocalPage() }
            switch try findRoute() {
            case .tunnel(let target):
                if let interceptor = interceptor(for: target) {
                    return await intercept(target, with: interceptor)
                }
                return await tunnel(to: target)
            case .forward(let route):
                self.route = route
                try await rewrite(for: route)
                return try await sendAndJudge(route)
            }
        } catch {
            return await answer(error.refusal)
        }
    }
}

/// A refusal as an error: phases throw it, `serve` answers it.
struct RefusalError: Error {
    let refusal: Refusal
    init(_ refusal: Refusal) { self.refusal = refusal }
}

internal import EventLoop
internal import HTTP
internal import Telemetry
internal import Upstream

/// One client's connection: takes request heads off it, one after the other, and lets a `RequestContext` serve each.
///
/// Owns the stream. Does not know what a request becomes. Confined to its loop.
final class ClientConnection {
    let worker: Worker
    let stream: Stream
    let clientAddress: String
    let isFromLoopback: Bool
    /// Nothing of a request has come: the connection may be closed without loss.
    private(set) var isResting = true
    /// As `isResting`, and nothing waits to be looked at either.
    var isUnused: Bool { isResting && !stream.hasUnreadBytes }
    /// The attempt that ends when the client resets the connection.
    weak var current: Exchange?
    /// The tunnel's connection that is given up when the client resets its own.
    weak var dialling: DialLimit?
    /// The route of the last request: clients mostly ask for the same authority again.
    var lastRoute: Route?
    /// Set once the connection is a tunnel that we read.
    private(set) var inside: TunnelInside?

    private let isAdmitted: Bool
    private var isAllowed: Bool
    /// That of the rules that `lastRoute`, `isAllowed` and the parser's limits come from.
    private var generation: UInt64
    private var parser: RequestHeadParser

    /// What becomes of the connection after a request.
    enum Fate {
        case keep
        /// What we sent is whole; the client may still be sending.
        case close
        /// The client must not take what it got for whole.
        case abort
    }

    init(worker: Worker, stream: Stream) {
        self.worker = worker
        self.stream = stream
        let peer = stream.peerAddress
        clientAddress = peer?.description ?? ""
        isFromLoopback = peer?.isLoopback ?? false
        isAdmitted = worker.shared.connections.enter(limit: worker.configuration.maxConnections)
        isAllowed = peer.map { worker.configuration.sources.allows($0) } ?? false
        generation = worker.rules.generation
        parser = RequestHeadParser(limits: worker.configuration.headLimits)
    }

    deinit {
        if isAdmitted { worker.shared.connections.leave() }
    }

    func run() async {
        stream.onFailure = { [unowned self] in
            current?.cancel()
            dialling?.abandon()
        }
        // A client that closed its connection looks like one that only ended its side: it is not served for ever.
        stream.onEnd = { [unowned self] in current?.limitSilence(to: worker.configuration.halfCloseTimeout) }
        defer {
            stream.close()
            worker.connectionEnded(self)
        }
        var fate = Fate.keep
        while fate == .keep {
            guard isAdmitted ? await waitForRequest() : true else { return }
            let context = worker.takeContext()
            fate = await serveNext(with: context)
            worker.giveBack(context)
            isResting = true
            if worker.isDraining, fate == .keep { fate = .close }
        }
        switch fate {
        case .keep: break
        case .close: await lingeringClose()
        case .abort: stream.reset()
        }
    }

    /// Waits for the first byte of a request. While it waits, the connection holds no buffer.
    private func waitForRequest() async -> Bool {
        let stream = stream
        do throws(StreamError) {
            // Who sends requests and takes no answers gets no more of them.
            if stream.isCongested { try await stream.drained(stallLimit: worker.configuration.idleClientTimeout) }
            // More than once: bytes of the request before may have been consumed before they were told of.
            while stream.inbound.isEmpty {
                guard try await stream.receive(within: worker.configuration.idleClientTimeout) else { return false }
            }
            return true
        } catch {
            return false
        }
    }

    /// Phase *accept*, then everything else by the context.
    private func serveNext(with context: RequestContext) async -> Fate {
        isResting = false
        if generation != worker.rules.generation { followRules() }
        context.begin(on: self)
        let stream = stream
        let started = worker.loop.now
        let limit = isAdmitted ? worker.configuration.headTimeout : Self.overloadTimeout
        let tooSlow = isAdmitted ? Refusal.headTooSlow : .tooManyConnections
        parser.reset()
        while true {
            do throws(HTTPError) {
                if let length = try parser.parse(stream.inbound, into: &context.head) {
                    stream.consume(length)
                    return await context.serve(refusal: admissionRefusal)
                }
            } catch {
                return await context.serve(refusal: .malformedRequest(error))
            }
            do throws(StreamError) {
                let left = limit - (worker.loop.now - started)
                guard left > .zero else { return await context.serve(refusal: tooSlow) }
                guard try await stream.receive(within: left) else { return .close }  // ended in the middle of a head
            } catch {
                if error == .timedOut { return await context.serve(refusal: tooSlow) }
                return .abort
            }
        }
    }

    /// Forgets what came from earlier rules.
    private func followRules() {
        generation = worker.rules.generation
        lastRoute = nil
        isAllowed = stream.peerAddress.map { worker.configuration.sources.allows($0) } ?? false
        parser = RequestHeadParser(limits: worker.configuration.headLimits)
    }

    private var admissionRefusal: Refusal? {
        if !isAllowed { return .clientNotAllowed }
        if !isAdmitted { return .tooManyConnections }
        return worker.refusesRequests ? .shuttingDown : nil
    }

    /// From now on every request is for the tunnel's authority.
    func enter(_ tunnel: TunnelInside) {
        inside = tunnel
        lastRoute = nil
    }

    /// How long a connection over the limit may take to ask before it is told so.
    private static let overloadTimeout = Duration.seconds(1)

    /// Ends the connection now, and what is done for it; nothing that was under way must look whole.
    func end() {
        current?.cancel()
        stream.reset()
    }

    /// Closing a socket with unread bytes resets it, and a reset can overtake our answer (RFC 9112 §9.6): end our side,
    /// read on for a moment, then close.
    private func lingeringClose() async {
        do throws(StreamError) {
            let stream = stream
            try await stream.finishSending(stallLimit: worker.configuration.idleClientTimeout)
            let started = worker.loop.now
            var budget = 1 << 20
            while budget > 0, worker.loop.now - started < .seconds(3) {
                let count = stream.inbound.count
                stream.consume(count)
                budget -= count
                guard try await stream.receive(within: .seconds(1)) else { return }
            }
        } catch {
            return
        }
    }
}

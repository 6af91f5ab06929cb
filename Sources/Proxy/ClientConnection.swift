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
    /// The attempt that ends when the client resets the connection.
    weak var current: Exchange?
    /// The route of the last request: clients mostly ask for the same authority again.
    var lastRoute: Route?

    private let isAdmitted: Bool
    private let isAllowed: Bool
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
        parser = RequestHeadParser(limits: worker.configuration.headLimits)
    }

    deinit {
        if isAdmitted { worker.shared.connections.leave() }
    }

    func run() async {
        stream.onFailure = { [unowned self] in current?.cancel() }
        defer {
            stream.close()
            worker.connectionEnded(self)
        }
        var fate = Fate.keep
        while fate == .keep {
            guard await waitForRequest() else { return }
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
        guard stream.inbound.isEmpty else { return true }
        do throws(StreamError) {
            return try await stream.receive(within: worker.configuration.idleClientTimeout)
        } catch {
            return false
        }
    }

    /// Phase *accept*, then everything else by the context.
    private func serveNext(with context: RequestContext) async -> Fate {
        isResting = false
        context.begin(on: self)
        let stream = stream
        let started = worker.loop.now
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
                let left = worker.configuration.headTimeout - (worker.loop.now - started)
                guard left > .zero else { return await context.serve(refusal: .headTooSlow) }
                guard try await stream.receive(within: left) else { return .close }  // ended in the middle of a head
            } catch {
                if error == .timedOut { return await context.serve(refusal: .headTooSlow) }
                return .abort
            }
        }
    }

    private var admissionRefusal: Refusal? {
        if !isAllowed { return .clientNotAllowed }
        if !isAdmitted { return .tooManyConnections }
        return worker.isDraining ? .shuttingDown : nil
    }

    /// Closing a socket with unread bytes resets it, and a reset can overtake our answer (RFC 9112 §9.6): end our side,
    /// read on for a moment, then close.
    private func lingeringClose() async {
        do throws(StreamError) {
            let stream = stream
            try await stream.finishSending()
            var budget = 1 << 20
            while budget > 0 {
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

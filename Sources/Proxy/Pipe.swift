internal import EventLoop
internal import Upstream

/// One end of a tunnel or of an upgraded connection: bytes in, bytes out, an end on each side.
///
/// A protocol so that one pump serves every pair of ends; the pump is specialised for each.
protocol PipeEnd: AnyObject, SendableMetatype {
    var inbound: Span<UInt8> { get }
    func consume(_ count: Int)
    /// True: more bytes; false: the peer ended its side. Throws when the pipe broke.
    func receiveMore() async throws(PipeBroken) -> Bool
    func send(_ bytes: Span<UInt8>)
    /// Bytes that were sent and not yet taken: that they change shows that the peer is alive.
    var unsentBytes: Int { get }
    /// Waits until more may be sent.
    func drainedForMore() async throws(PipeBroken)
    /// Ends our side after what was sent.
    func endSending() async throws(PipeBroken)
    /// Ends the connection so that the peer sees a fault; whoever waits is told.
    func abort()
}

struct PipeBroken: Error {}

/// What both directions of one pipe share. Confined to its loop.
final class PipeState {
    var lastActivity: Duration
    var bytesUp: UInt64 = 0
    var bytesDown: UInt64 = 0
    /// Set when one side ended: from then on the shorter limit counts.
    var isHalfClosed = false
    /// What was not yet taken when the pipe was last looked at.
    var unsentBytes = 0
    var watch: LoopTimer?

    init(now: Duration) { lastActivity = now }
}

/// Limits of a pipe that nobody uses.
struct PipeLimits: Sendable {
    var idle: Duration
    var halfClosed: Duration
}

/// Passes bytes between two ends until both have ended, one breaks, or nothing moves for too long.
struct Pipe<Server: PipeEnd> {
    let client: Stream
    let server: Server
    let loop: EventLoop
    let limits: PipeLimits
    let state: PipeState

    /// Runs both directions; returns when both are over.
    func run() async {
        let up = Finished()
        nonisolated(unsafe) let this = self  // both tasks run on the one loop
        // A client that is gone is noticed even where both directions wait for the server. Not acted on at once: a
        // failed `send` tells of it while the other end's bytes are in use.
        client.onFailure = { this.loop.execute { this.abort() } }
        state.watch = LoopTimer(loop: loop) { this.look() }
        look()
        loop.spawn {
            await this.pump(from: this.client, to: this.server, count: \.bytesUp)
            up.finish()
        }
        await pump(from: server, to: client, count: \.bytesDown)
        await up.wait()
        state.watch?.close()
        state.watch = nil
        client.onFailure = nil
    }

    private func pump(
        from source: some PipeEnd, to sink: some PipeEnd, count: ReferenceWritableKeyPath<PipeState, UInt64>
    ) async {
        do throws(PipeBroken) {
            repeat {
                let bytes = source.inbound
                guard bytes.count > 0 else { continue }
                state.lastActivity = loop.now
                state[keyPath: count] += UInt64(bytes.count)
                sink.send(bytes)
                source.consume(bytes.count)
                try await sink.drainedForMore()
            } while try await source.receiveMore()
            try await sink.endSending()
            state.lastActivity = loop.now
            state.isHalfClosed = true
        } catch {
            abort()
        }
    }

    private func abort() {
        client.abort()
        server.abort()
    }

    /// Ends the pipe when nothing has moved for too long, in whatever its directions wait for.
    private func look() {
        let unsent = client.unsentBytes &+ server.unsentBytes
        if unsent != state.unsentBytes {
            state.unsentBytes = unsent
            state.lastActivity = loop.now
        }
        let limit = state.isHalfClosed ? limits.halfClosed : limits.idle
        let left = limit - (loop.now - state.lastActivity)
        if left <= .zero { return abort() }
        // Never later than the shorter limit: a side may end meanwhile.
        state.watch?.start(after: min(left, limits.halfClosed))
    }
}

extension Stream: PipeEnd {
    func receiveMore() async throws(PipeBroken) -> Bool {
        do throws(StreamError) { return try await receive() } catch { throw PipeBroken() }
    }

    func drainedForMore() async throws(PipeBroken) {
        do throws(StreamError) { try await drained() } catch { throw PipeBroken() }
    }

    func endSending() async throws(PipeBroken) {
        do throws(StreamError) { try await finishSending() } catch { throw PipeBroken() }
    }

    func abort() { reset() }
}

internal import EventLoop
internal import Upstream

/// One end of a tunnel or of an upgraded connection: bytes in, bytes out, an end on each side.
///
/// A protocol so that one pump serves every pair of ends; the pump is specialised for each.
protocol PipeEnd: AnyObject, SendableMetatype {
    var inbound: Span<UInt8> { get }
    func consume(_ count: Int)
    /// True: more bytes; false: the peer ended its side. Throws when the pipe broke, or when `limit` passed.
    func receiveMore(within limit: Duration) async throws(PipeFailure) -> Bool
    func send(_ bytes: Span<UInt8>)
    /// Waits until more may be sent.
    func drainedForMore() async throws(PipeFailure)
    /// Ends our side after what was sent.
    func endSending() async throws(PipeFailure)
    /// Ends the connection so that the peer sees a fault.
    func abort()
}

enum PipeFailure: Error {
    case quiet
    case broken
}

/// What both directions of one pipe share. Confined to its loop.
final class PipeState {
    var lastActivity: Duration
    var bytesUp: UInt64 = 0
    var bytesDown: UInt64 = 0
    /// Set when one side ended: from then on the shorter limit counts.
    var isHalfClosed = false

    init(now: Duration) { lastActivity = now }
}

/// Limits of a pipe that nobody uses.
struct PipeLimits: Sendable {
    var idle: Duration
    var halfClosed: Duration
}

/// Passes bytes between two ends until both have ended, one breaks, or nothing moves for too long.
struct Pipe<Client: PipeEnd, Server: PipeEnd> {
    let client: Client
    let server: Server
    let loop: EventLoop
    let limits: PipeLimits
    let state: PipeState

    /// Runs both directions; returns when both are over.
    func run() async {
        let up = Finished()
        nonisolated(unsafe) let this = self  // both tasks run on the one loop
        loop.spawn {
            await this.pump(from: this.client, to: this.server, count: \.bytesUp)
            up.finish()
        }
        await pump(from: server, to: client, count: \.bytesDown)
        await up.wait()
    }

    private func pump(
        from source: some PipeEnd, to sink: some PipeEnd, count: ReferenceWritableKeyPath<PipeState, UInt64>
    ) async {
        do throws(PipeFailure) {
            repeat {
                let bytes = source.inbound
                guard bytes.count > 0 else { continue }
                state.lastActivity = loop.now
                state[keyPath: count] += UInt64(bytes.count)
                sink.send(bytes)
                source.consume(bytes.count)
                try await sink.drainedForMore()
            } while try await receive(source)
            try await sink.endSending()
            state.isHalfClosed = true
        } catch {
            client.abort()
            server.abort()
        }
    }

    private var limit: Duration { state.isHalfClosed ? limits.halfClosed : limits.idle }

    /// Waits for bytes of one side; the pipe is quiet only if the other direction has been quiet for as long.
    private func receive(_ source: some PipeEnd) async throws(PipeFailure) -> Bool {
        while true {
            // Never longer than the shorter limit: the other direction may end while this one waits.
            let left = min(limit - (loop.now - state.lastActivity), limits.halfClosed)
            do throws(PipeFailure) {
                return try await source.receiveMore(within: max(left, .milliseconds(1)))
            } catch PipeFailure.quiet {
                if loop.now - state.lastActivity >= limit { throw .quiet }
            }
        }
    }
}

/// A task's end that another task of the same loop waits for.
final class Finished: @unchecked Sendable {
    private var isFinished = false
    private var waiter: UnsafeContinuation<Void, Never>?

    func finish() {
        isFinished = true
        waiter?.resume()
        waiter = nil
    }

    func wait() async {
        if isFinished { return }
        await withUnsafeContinuation { waiter = $0 }
    }
}

extension Stream: PipeEnd {
    func receiveMore(within limit: Duration) async throws(PipeFailure) -> Bool {
        do throws(StreamError) {
            return try await receive(within: limit)
        } catch {
            throw error == .timedOut ? .quiet : .broken
        }
    }

    func drainedForMore() async throws(PipeFailure) {
        do throws(StreamError) { try await drained() } catch { throw .broken }
    }

    func endSending() async throws(PipeFailure) {
        do throws(StreamError) { try await finishSending() } catch { throw .broken }
    }

    func abort() { reset() }
}

public import EventLoop

/// One bound on everything that opening a way takes: look-up, every address that is tried, handshakes. Also ended from
/// outside, when nobody wants the way any more. Confined to its loop.
public final class DialLimit {
    /// What ended it.
    public enum Ending: Sendable { case timedOut, abandoned }

    /// Set once it is over; nil while the way may still be opened.
    public private(set) var ending: Ending?
    private let loop: EventLoop
    private let deadline: Duration
    private var timer: LoopTimer?
    /// What waits at the moment, to be woken when it is over.
    private var wake: (() -> Void)?

    public init(loop: EventLoop, limit: Duration) {
        self.loop = loop
        deadline = loop.now + limit
        timer = LoopTimer(loop: loop) { [unowned self] in finish(.timedOut) }
        timer?.start(after: limit)
    }

    deinit { timer?.close() }

    /// What is left of the time; never below a millisecond.
    var left: Duration { max(deadline - loop.now, .milliseconds(1)) }

    /// Nobody wants the way any more.
    public func abandon() { finish(.abandoned) }

    private func finish(_ ending: Ending) {
        guard self.ending == nil else { return }
        self.ending = ending
        wake?()
    }

    /// All addresses of a name; nil where the limit came first. The look-up itself then ends unheard.
    public func resolve(host: String, port: UInt16) async -> Result<[SocketAddress], ResolveError>? {
        guard ending == nil else { return nil }
        if let literal = SocketAddress(ip: host, port: port) { return .success([literal]) }
        let race = Race()
        let loop = loop
        wake = { race.finish(nil) }
        loop.spawn {
            do throws(ResolveError) {
                race.finish(.success(try await Resolver.resolve(host: host, port: port, on: loop)))
            } catch {
                race.finish(.failure(error))
            }
        }
        let result = await race.result()
        wake = nil
        return result
    }

    /// A connection to one address; throws `timedOut` where the limit came first.
    public func connect(to address: SocketAddress) async throws(StreamError) -> Stream {
        guard ending == nil else { throw .timedOut }
        defer { wake = nil }
        let stream = try await Stream.connect(to: address, on: loop, timeout: left) { [unowned self] stream in
            wake = { stream.close() }
        }
        guard ending == nil else {
            stream.close()
            throw .timedOut
        }
        return stream
    }

    /// Runs `body`, with `stream` closed as soon as the limit comes.
    func guarding<Value>(
        _ stream: Stream, _ body: () async throws(UpstreamError) -> Value
    ) async throws(UpstreamError) -> Value {
        guard ending == nil else { throw UpstreamError(.connectTimeout, "No connection in time.") }
        wake = { stream.close() }
        defer { wake = nil }
        return try await body()
    }
}

/// One result that is waited for once, whoever brings it first. Confined to its loop.
private final class Race: @unchecked Sendable {
    typealias Value = Result<[SocketAddress], ResolveError>?
    private var isOver = false
    private var value: Value = nil
    private var waiter: UnsafeContinuation<Void, Never>?

    func finish(_ value: Value) {
        guard !isOver else { return }
        isOver = true
        self.value = value
        waiter?.resume()
        waiter = nil
    }

    func result() async -> Value {
        if !isOver { await withUnsafeContinuation { waiter = $0 } }
        return value
    }
}

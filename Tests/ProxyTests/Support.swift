import EventLoop
import HTTP
import Telemetry
import Testing
import Upstream
import WAFTokens

@testable import Proxy

/// Runs `body` on a fresh loop, which is stopped afterwards, and gives back its result.
func onLoop<Result: Sendable>(_ body: @escaping @Sendable (EventLoop) async throws -> Result) async throws -> Result {
    SignalWatcher.ignoreBrokenPipes()
    let loop = try EventLoop(name: "test")
    loop.start()
    defer { loop.stop() }
    return try await withCheckedThrowingContinuation { continuation in
        loop.spawn {
            do { continuation.resume(returning: try await body(loop)) } catch { continuation.resume(throwing: error) }
        }
    }
}

/// Two connected ends on `loop`; call on it.
func streamPair(on loop: EventLoop) async throws -> (Stream, Stream) {
    nonisolated(unsafe) var accepted: Stream?
    let arrived = Finished()
    let socket = try ListenerGroup.bind(SocketAddress(ip: "127.0.0.1", port: 0)!, count: 1)[0]
    let listener = try Listener(loop: loop, socket: socket) { stream in
        accepted = stream
        arrived.finish()
    }
    defer { listener.close() }
    let near = try await Stream.connect(to: listener.address, on: loop, timeout: .seconds(60))
    await arrived.wait()
    return (near, try #require(accepted))
}

extension Stream {
    func send(_ text: String) { send(Array(text.utf8)) }

    /// Text up to and with `end`; nil when the peer ended before, or nothing came for a minute.
    func text(through end: String) async -> String? {
        let wanted = Array(end.utf8)
        var searched = 0
        while true {
            let count = inbound.withUnsafeBufferPointer { $0.end(of: wanted, from: searched) }
            if let count {
                let text = inbound.withUnsafeBufferPointer { String(decoding: $0[..<count], as: UTF8.self) }
                consume(count)
                return text
            }
            searched = max(0, inbound.count - wanted.count + 1)
            guard (try? await receive(within: .seconds(60))) == true else { return nil }
        }
    }

    /// Everything up to the peer's end, and how that was. Nothing for a minute is a fault of the test's.
    func rest() async -> (text: String, isOrderly: Bool) {
        var isOrderly = false
        do throws(StreamError) {
            while try await receive(within: .seconds(60)) {}
            isOrderly = true
        } catch {
            if error == .timedOut { Issue.record("the peer did not end") }
        }
        let bytes = inbound.withUnsafeBufferPointer { Array($0) }
        if !isBroken { consume(bytes.count) }
        return (String(decoding: bytes, as: UTF8.self), isOrderly)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Where the first occurrence of `wanted` that begins at `first` or later ends.
    fileprivate func end(of wanted: [UInt8], from first: Int) -> Int? {
        guard count - first >= wanted.count else { return nil }
        for start in first...(count - wanted.count) where self[start] == wanted[0] {
            if self[start..<(start + wanted.count)].elementsEqual(wanted) { return start + wanted.count }
        }
        return nil
    }
}

/// A proxy in front of an origin that speaks bytes, both and the clients on one loop.
struct Rig: Sendable {
    let loop: EventLoop
    let proxy: SocketAddress
    let origin: SocketAddress
    let server: ProxyServer
    /// Every request head that the origin got, in order.
    let heads: Lock<[String]>

    /// What one test wants to be otherwise.
    struct Wishes: Sendable {
        var configuration = ProxyConfiguration()
        var upstream = UpstreamConfiguration()
        /// Nil: no host is listed.
        var policy: AttachPolicy?
        /// What the policy is for.
        var hosts = ["127.0.0.1:*"]
        var logger = Logger.silent
    }

    /// `serve` gets each connection to the origin, with a way to read the next head.
    static func with<Result: Sendable>(
        _ wish: @Sendable (inout Wishes) -> Void = { _ in },
        origin serve: @escaping @Sendable (OriginConnection) async -> Void,
        _ body: @escaping @Sendable (Rig) async throws -> Result
    ) async throws -> Result {
        var wishes = Wishes()
        wishes.configuration.drainTimeout = .seconds(2)
        wish(&wishes)
        let wanted = wishes
        SignalWatcher.ignoreBrokenPipes()
        let loop = try EventLoop(name: "rig")
        loop.start()
        defer { loop.stop() }
        let heads = Lock<[String]>([])
        let origin: SocketAddress = try await onSame(loop) {
            let socket = try ListenerGroup.bind(SocketAddress(ip: "127.0.0.1", port: 0)!, count: 1)[0]
            let listener = try Listener(loop: loop, socket: socket) { stream in
                nonisolated(unsafe) let connection = OriginConnection(stream: stream, heads: heads)
                loop.spawn {
                    await serve(connection)
                    connection.stream.close()
                }
            }
            return listener.address
        }
        let provider = try WAFTokenProvider(
            WAFConfiguration(domainName: "shop.test"), source: CountingSource(), environment: environment(on: loop))
        let table = try HostTable<ProxyProvider>(
            wanted.policy.map { policy in
                [(try wanted.hosts.map { try HostPattern($0) }, ProxyProvider(provider: provider, policy: policy))]
            } ?? [])
        let server = try await ProxyServer(
            listenOn: [SocketAddress(ip: "127.0.0.1", port: 0)!], loops: [loop], configuration: wanted.configuration,
            upstream: wanted.upstream, providers: table, replayBudget: ReplayBudget(limit: 1 << 26),
            logger: wanted.logger)
        let rig = Rig(loop: loop, proxy: server.addresses[0], origin: origin, server: server, heads: heads)
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await onSame(loop) { try await body(rig) }) } catch { result = .failure(error) }
        await server.drain()
        await provider.stop()
        return try result.get()
    }

    private static func environment(on loop: EventLoop) -> ProviderEnvironment {
        var environment = ProviderEnvironment()
        environment.executor = loop
        environment.sleep = { await loop.sleep(for: $0) }
        return environment
    }

    /// A connection to the proxy.
    func connect() async throws -> Stream { try await Stream.connect(to: proxy, on: loop, timeout: .seconds(60)) }

    /// A request head in absolute form; `lines` come after `Host`.
    func head(_ method: String = "GET", _ path: String = "/", _ lines: String...) -> String {
        (["\(method) http://\(origin)\(path) HTTP/1.1", "Host: \(origin)"] + lines).joined(separator: "\r\n")
            + "\r\n\r\n"
    }

    /// Sends `text` on a connection of its own and gives back all that comes until the proxy ends it.
    func talk(_ text: String) async throws -> (text: String, isOrderly: Bool) {
        let stream = try await connect()
        defer { stream.close() }
        stream.send(text)
        return await stream.rest()
    }
}

private func onSame<Result: Sendable>(
    _ loop: EventLoop, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let result: Swift.Result<Result, any Error> = await loop.run {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
    return try result.get()
}

/// The origin's end of one connection. Confined to the loop.
final class OriginConnection {
    let stream: Stream
    private let heads: Lock<[String]>

    init(stream: Stream, heads: Lock<[String]>) {
        self.stream = stream
        self.heads = heads
    }

    /// The next request head, which the rig keeps as well; nil at the end.
    func nextHead() async -> String? {
        guard let head = await stream.text(through: "\r\n\r\n") else { return nil }
        heads.withLock { $0.append(head) }
        return head
    }

    func send(_ text: String) { stream.send(text) }
}

/// An answer with a length.
func answer(_ status: String = "200 OK", _ body: String = "ok", _ lines: String...) -> String {
    (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + lines).joined(separator: "\r\n") + "\r\n\r\n" + body
}

let challenge = answer("202 Accepted", "", "x-amzn-waf-action: challenge")

/// Gives `token-1`, `token-2` and so on.
final class CountingSource: TokenSource {
    private let count = Lock(0)

    func fetch(_ request: SourceRequest) async throws(SourceError) -> SourceAnswer {
        let number = count.withLock {
            $0 += 1
            return $0
        }
        do throws(WAFToken.Fault) { return SourceAnswer(token: try WAFToken("token-\(number)")) } catch {
            throw SourceError(.internalError, "\(error)")
        }
    }
}

/// Waits, on the loop, until `condition` holds, a minute at most.
func eventually(_ loop: EventLoop, _ condition: () -> Bool) async -> Bool {
    for _ in 0..<6000 {
        if condition() { return true }
        await loop.sleep(for: .milliseconds(10))
    }
    return condition()
}

public import EventLoop
internal import Synchronization
public import Telemetry

/// The listener for operators, on a loop that serves no clients.
///
/// Any thread may call it. Owns the socket and its connections, not the loop.
public final class AdminServer: Sendable {
    /// A bound socket.
    public enum Socket: Sendable {
        case ip(BoundSocket)
        case unix(BoundUnixSocket)

        public var address: ListeningAddress {
            switch self {
            case .ip(let socket): .ip(socket.address)
            case .unix(let socket): .unix(path: socket.path)
            }
        }
    }

    /// What is listened on, with the real port.
    public let address: ListeningAddress
    private let core: AdminCore

    /// Serves what connects to a socket that was bound before the proxy's own listeners, so that they know of it.
    /// `token` is what writes have to show.
    public init(
        on socket: Socket, loop: EventLoop, service: AdminService, token: Redacted<[UInt8]>
    ) async throws(SystemError) {
        address = socket.address
        let gate = AdminGate(address: socket.address, token: token)
        let core = AdminCore(loop: loop, service: service, gate: gate)
        self.core = core
        let result: Result<Void, SystemError> = await loop.run {
            do throws(SystemError) { return .success(try core.listen(on: socket)) } catch { return .failure(error) }
        }
        try result.get()
    }

    /// Closes the listener and every connection.
    public func stop() async {
        let core = core
        await core.loop.run { await core.stop() }
    }
}

/// What runs on the loop. Confined to it, apart from `loop`.
private final class AdminCore: @unchecked Sendable {
    let loop: EventLoop
    private let service: AdminService
    private let gate: AdminGate
    private var listener: Listener?
    private var file: BoundUnixSocket?
    /// In the order in which they came.
    private var clients: [Client] = []
    /// Connections whose tasks have not ended.
    private var running = 0
    private var whenEmpty: UnsafeContinuation<Void, Never>?

    private struct Client {
        let stream: Stream
        let connection: AdminConnection
    }

    /// Operators and probes are few; more than so many connections are somebody's mistake. The first that came
    /// and is not being answered makes room then: a probe must not fail because somebody holds connections open.
    static let connectionLimit = 64

    init(loop: EventLoop, service: AdminService, gate: AdminGate) {
        self.loop = loop
        self.service = service
        self.gate = gate
    }

    func listen(on socket: AdminServer.Socket) throws(SystemError) {
        switch socket {
        case .ip(let socket):
            listener = try Listener(loop: loop, socket: socket) { [unowned self] stream in accept(stream) }
        case .unix(let socket):
            listener = try Listener(loop: loop, socket: socket) { [unowned self] stream in accept(stream) }
            file = socket
        }
    }

    private func accept(_ stream: Stream) {
        if clients.count >= Self.connectionLimit {
            guard let oldest = clients.firstIndex(where: { !$0.connection.isAnswering }) else { return stream.close() }
            clients.remove(at: oldest).stream.close()
        }
        service.connections.wrappingAdd(1, ordering: .relaxed)
        running += 1
        let (service, gate) = (service, gate)
        nonisolated(unsafe) let connection = AdminConnection(stream, on: loop) { request in
            await service.answer(request, gate)
        }
        clients.append(Client(stream: stream, connection: connection))
        loop.spawn { [self] in
            await connection.run()
            clients.removeAll { $0.connection === connection }
            service.connections.wrappingSubtract(1, ordering: .relaxed)
            running -= 1
            if running == 0 { finish() }
        }
    }

    private func finish() {
        whenEmpty?.resume()
        whenEmpty = nil
    }

    func stop() async {
        file?.remove()
        listener?.close()
        listener = nil
        for client in clients { client.stream.close() }
        if running > 0 { await withUnsafeContinuation { whenEmpty = $0 } }
    }
}

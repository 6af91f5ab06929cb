internal import EventLoop
internal import TLS
internal import Telemetry

/// The running emulator: its loop, its state, its listeners and connections. Confined to the loop, apart from `loop`.
final class EmulatorCore: @unchecked Sendable {
    let loop: EventLoop
    var state: EmulatorState
    let pauses: Pauses
    /// Fires when an event was released, and when the emulator stops.
    let eventReleased = Signal()
    private(set) var isStopping = false

    private var listeners: [Listener] = []
    private var channels: [ObjectIdentifier: Channel] = [:]
    private let allEnded = Signal()

    init(loop: EventLoop, state: EmulatorState) {
        self.loop = loop
        self.state = state
        pauses = Pauses(loop: loop)
    }

    /// The machine's time in milliseconds since 1970.
    var wallMsec: Int64 { WallClock.now().milliseconds }

    /// Serves what connects to a bound socket.
    func listen(
        on socket: BoundSocket, context: TLSContext?,
        respond: @escaping (EmulatorCore, ServerExchange) async throws(ExchangeFailure) -> Void
    ) throws(SystemError) {
        let listener = try Listener(loop: loop, socket: socket) { [unowned self] stream in
            accept(stream, context: context, respond: respond)
        }
        listeners.append(listener)
    }

    private func accept(
        _ stream: Stream, context: TLSContext?,
        respond: @escaping (EmulatorCore, ServerExchange) async throws(ExchangeFailure) -> Void
    ) {
        guard !isStopping, let channel = try? Channel(stream: stream, context: context) else { return stream.close() }
        let key = ObjectIdentifier(channel)
        channels[key] = channel
        let connection = ServedConnection(channel: channel, loop: loop) { [self] exchange throws(ExchangeFailure) in
            try await respond(self, exchange)
        }
        nonisolated(unsafe) let served = connection  // runs on the same loop
        loop.spawn { [self] in
            await served.run()
            channels[key] = nil
            if channels.isEmpty { allEnded.fire() }
        }
    }

    /// Closes every listener and connection and returns once nothing of them runs.
    func stop() async {
        isStopping = true
        for listener in listeners { listener.close() }
        listeners = []
        for channel in channels.values { channel.stream.close() }
        pauses.endAll()
        eventReleased.fire()
        while !channels.isEmpty { await allEnded.wait() }
    }
}

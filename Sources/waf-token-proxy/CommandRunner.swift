internal import EventLoop
internal import Glibc

/// Runs one program in the foreground and passes signals on to it.
final class CommandRunner: @unchecked Sendable {
    // Sendable because everything after `init` happens on its own loop.
    private let loop: EventLoop
    private var relay: SignalRelay?
    private var child: ForegroundChild?
    private var early: Int32?

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    init() throws(SystemError) {
        loop = try EventLoop(name: "exec")
        loop.start()
    }

    /// Takes the signals from now on: none of them ends this process any more.
    func takeSignals() async throws(SystemError) {
        let result: Result<Void, SystemError> = await loop.run { [self] in
            do throws(SystemError) {
                relay = try SignalRelay(loop: loop, signals: Self.signals) { [unowned self] signal, isFromTerminal in
                    came(signal, isFromTerminal)
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// The terminal has told the program itself, which is in the same process group.
    private func came(_ signal: Int32, _ isFromTerminal: Bool) {
        guard let child else {
            early = early ?? signal
            return
        }
        if !isFromTerminal { child.send(signal) }
    }

    /// Runs it to its end. A signal that came before it was started is its end as well.
    func run(_ program: [String], _ environment: [String: String]) async throws(SystemError) -> ForegroundChild.Ending {
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let result: Result<ForegroundChild.Ending, SystemError> = await loop.run { [self] in
            if let early { return .success(.signalled(early)) }
            do throws(SystemError) {
                let child = try ForegroundChild(loop: loop, program, environment: variables)
                self.child = child
                return .success(await child.ended())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

internal import EventLoop
internal import Glibc
internal import ProxyKit
internal import Settings
internal import Telemetry

/// `waf-token-proxy run`
enum RunCommand {
    static func run(_ settings: EffectiveSettings, warnings: [String]) async -> ExitCode {
        let log = Log(settings.log)
        for warning in warnings { log.logger.warning("configuration", [("detail", .sentence(warning))]) }
        do {
            let signals = try StopSignal()
            try await signals.take()
            try await signals.takeHangup()
            if getpid() == 1 { try await signals.reapOrphans() }
            let proxy = try await RunningProxy(settings, logger: log.logger, source: source(log))
            await signals.hangUp { Task { await proxy.reload() } }
            for address in proxy.addresses { log.listening("proxy", address) }
            if let address = proxy.adminListener { log.listening("admin", address) }
            proxy.offerDrain { signals.ask() }
            let signal = await signals.wait()
            log.logger.info("draining", signal == 0 ? [("by", "operator")] : [("signal", .integer(Int(signal)))])
            await proxy.stop()
            log.logger.info("stopped")
            log.flush()
            return .success
        } catch let failure as RunningProxy.Failure {
            log.flush()
            Terminal.complain(failure.description)
            if case .settings = failure { return .usage }
            return .unavailable
        } catch {
            log.flush()
            Terminal.complain("\(error)")
            return .internal
        }
    }
}

extension RunCommand {
    /// The same arguments, variables and files again.
    private static func source(_ log: Log) -> SettingsSource {
        SettingsSource {
            switch Invocation(arguments: Array(CommandLine.arguments.dropFirst()), again: true) {
            case .run(let settings, let warnings): .settings(settings, warnings: warnings)
            case .print(let output): .faults(output.standardError.split(separator: "\n").map(String.init))
            default: .faults(["the arguments do not run a proxy"])
            }
        } changeLog: { settings in
            log.logger.change(
                level: settings.level, format: settings.lineFormat(for: STDOUT_FILENO), access: settings.access)
        }
    }
}

/// The process's log, on standard output if nothing else is said.
struct Log {
    let sink: LogSink
    let logger: Logger

    init(_ settings: LogSettings, descriptor: Int32 = STDOUT_FILENO) {
        sink = LogSink(descriptor: descriptor) { code in
            Terminal.complain(
                "the log cannot be written: \(String(cString: strerror(code))); its lines are counted and lost")
        }
        logger = Logger(
            sink: sink, level: settings.level, format: settings.lineFormat(for: descriptor), access: settings.access)
    }

    /// The line by which scripts find a port: written when connections are accepted.
    func listening(_ kind: String, _ address: some CustomStringConvertible, _ more: [(StaticString, LogValue)] = []) {
        logger.log(
            max(logger.level, .info), "listening", [("kind", .string(kind)), ("address", .string("\(address)"))] + more)
    }

    func flush() { sink.flush(timeoutMsec: 1000) }
}

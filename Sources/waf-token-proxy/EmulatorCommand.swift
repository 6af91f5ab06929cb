internal import Emulator
internal import EventLoop
internal import Settings
internal import Telemetry

/// `waf-token-proxy emulator`
enum EmulatorCommand {
    static func run(_ settings: EmulatorSettings, log: LogSettings) async -> ExitCode {
        let log = Log(log)
        do {
            let signals = try StopSignal()
            try await signals.take()
            var options = try EmulatorOptions(settings)
            var folder: TemporaryFolder?
            if options.caFile == nil {
                let new = try TemporaryFolder()
                options.caFile = "\(new.path)/ca.pem"
                folder = new
            }
            defer { folder?.remove(files: ["ca.pem"]) }
            let emulator = EmulatorServer(options: options)
            let addresses = try await emulator.start()
            log.listening("http", addresses.http)
            log.listening("https", addresses.https, [("caFile", .string(addresses.caFile ?? ""))])
            log.listening("issuer", addresses.issuer, [("tokenURL", .string(addresses.tokenURL))])
            log.listening("control", addresses.control)
            _ = await signals.wait()
            await emulator.stop()
            log.flush()
            return .success
        } catch {
            log.flush()
            Terminal.complain("\(error)")
            return error is EmulatorError ? .unavailable : .internal
        }
    }
}

extension EmulatorOptions {
    /// What the settings say; `caFile` is only written where one was named.
    init(_ settings: EmulatorSettings) throws {
        self.init()
        http = try SocketAddress(settings.listen)
        https = try SocketAddress(settings.listenHTTPS)
        issuer = try SocketAddress(settings.issuer)
        control = try SocketAddress(settings.control)
        domains = settings.domains
        immunitySec = settings.immunitySec
        caFile = settings.caFile
    }
}

/// An address of another kind than the one that is needed.
struct NotAnAddress: Error, CustomStringConvertible {
    let address: ListenAddress
    var description: String { "\(address) is not an IP address and port" }
}

extension SocketAddress {
    init(_ address: ListenAddress) throws(NotAnAddress) {
        guard case .tcp(let host, let port) = address, let result = SocketAddress(ip: host, port: port) else {
            throw NotAnAddress(address: address)
        }
        self = result
    }
}
